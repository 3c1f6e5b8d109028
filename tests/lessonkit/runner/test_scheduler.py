"""Chapters that pass, fail, hang, die and are interrupted, run as a learner would run them."""

import json
import re
import shlex
import signal
import sys
import time

import nbformat
import psutil
import pytest
import toys
from toys import code, notebook, parameters, text

from lessonkit.system import processes

GRANDCHILD = """import subprocess, sys, time
from pathlib import Path
hour = [sys.executable, "-c", "import time; time.sleep(3600)"]
Path("pids.txt").write_text(str(subprocess.Popen(hour, start_new_session=True).pid))"""
LIMIT = 5  # a busy machine must find the time to say that half of it has passed


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """(exit status, printed text, report, out folder) of one run over every kind of chapter."""
    root = tmp_path_factory.mktemp("series")
    folder = toys.write(
        root / "notebooks",
        _00_fine=notebook(
            text("# Fine"),
            code("import os, sys\nfrom pathlib import Path"),
            parameters(),
            code("print(sys.executable)\nprint(Path.cwd())\nprint(os.environ['COURSE_DATA'])"),
            code("1 / 0", "raises-exception"),
            code("import warnings\nwarnings.warn('told beforehand')", "shows-warning"),
            code("print(PROFILE, SEED, DEVICE, os.environ['TQDM_DISABLE'])"),
        ),
        _01_fails=notebook(
            parameters(), code("print('kept')"), code("{}['missing']\n# more"), code("print('never')")
        ),
        _02_sleeps=notebook(parameters(), code(GRANDCHILD), code("time.sleep(3600)")),
        _03_spins=notebook(parameters(), code("while True:\n    pass")),
        _04_exits=notebook(parameters(), code("import os"), code("os._exit(3)")),
        _05_killed=notebook(parameters(), code("import os, signal\nos.kill(os.getpid(), signal.SIGTERM + 0)")),
        _06_promises=notebook(
            parameters(),
            code("'no error'", "raises-exception"),
            code("import warnings\nwarnings.warn('an old name', FutureWarning)"),
            code("'no verdict'", "exercise"),
        ),
        _07_leaves=notebook(parameters(), code(GRANDCHILD.replace("pids", "left"))),
    )
    out = root / "out folder é"
    process = toys.course(
        "run", "--notebooks", folder, "--out", out, "--limit", LIMIT, "--jobs", 3, "--set", "SEED=7",
        COURSE_DATA="course_utils",
    )  # fmt: skip
    printed, _ = process.communicate(timeout=400)
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return process.returncode, printed, report, out


def entry(ran, name):
    return next(chapter for chapter in ran[2]["chapters"] if chapter["name"] == name)


def test_one_failure_makes_the_exit_status_1_and_the_others_still_run(ran):
    assert ran[0] == 1
    states = {chapter["name"]: chapter["status"] for chapter in ran[2]["chapters"]}
    assert states == {
        "00_fine": "passed",
        "01_fails": "failed",
        "02_sleeps": "timeout",
        "03_spins": "timeout",
        "04_exits": "failed",
        "05_killed": "failed",
        "06_promises": "failed",
        "07_leaves": "failed",
    }


def test_a_passed_chapter_ran_in_the_out_folder_with_this_python_and_its_parameters(ran):
    fine = entry(ran, "00_fine")
    assert (fine["cells"], fine["error"]) == (6, None)
    book = nbformat.read(ran[3] / "00_fine.ipynb", as_version=4)
    printed = "".join(output.get("text", "") for cell in book.cells for output in cell.get("outputs", []))
    lines = printed.splitlines()
    assert sys.executable in lines
    assert str(ran[3]) in lines
    assert any(line.endswith("course_utils") and len(line) > len("course_utils") for line in lines)
    assert "quick 7 None 1" in lines


def test_a_failed_chapter_names_cell_and_error_and_keeps_the_partly_executed_notebook(ran):
    assert entry(ran, "01_fails")["error"] == "cell 3: {}['missing'] -> KeyError: 'missing'"
    book = nbformat.read(ran[3] / "01_fails.ipynb", as_version=4)
    sources = {cell.source: cell for cell in book.cells}
    assert sources["print('kept')"].outputs[0].text == "kept\n"
    assert sources["print('never')"].execution_count is None


def test_a_hanging_cell_is_named_and_nothing_it_started_survives(ran):
    for name, cell in (("02_sleeps", "cell 3: time.sleep(3600)"), ("03_spins", "cell 2: while True:")):
        chapter = entry(ran, name)
        assert chapter["error"] == f"{cell} -> ended after its limit of {LIMIT} s"
        assert chapter["slowest_cell"] == cell
        assert LIMIT <= chapter["slowest_cell_seconds"] < LIMIT + 5
    assert not is_running(ran[3] / "pids.txt")


def test_a_cell_near_its_limit_is_told_while_it_runs_and_in_the_report(ran):
    sentence = rf"cell 3: time.sleep\(3600\) -> had been running for \d+ s; it is ended after {LIMIT} s "
    assert re.search(f"02_sleeps: {sentence}", ran[1])
    assert any(re.match(sentence, note) for note in entry(ran, "02_sleeps")["notes"])
    page = (ran[3] / "report.html").read_text(encoding="utf-8")
    assert re.search(f'<li class="note">02_sleeps: {sentence.replace(">", "&gt;")}', page)


def test_how_many_ran_side_by_side_and_why_stands_in_text_and_report(ran):
    assert "Chapters side by side: 3 (as asked for)." in ran[1]
    assert ran[2]["jobs"] == {"number": 3, "why": "as asked for"}


def test_a_process_left_behind_is_ended_and_fails_the_chapter(ran):
    assert "left running at its end: pid" in entry(ran, "07_leaves")["error"]
    assert not is_running(ran[3] / "left.txt")


def test_a_dead_kernel_is_named_as_such(ran):
    assert entry(ran, "04_exits")["error"] == "cell 3: os._exit(3) -> the kernel died (exit code 3)"
    how = "exit code 15" if sys.platform == "win32" else "signal SIGTERM"
    assert f"-> the kernel died ({how})" in entry(ran, "05_killed")["error"]


def test_broken_promises_are_failures_with_their_cells(ran):
    lines = entry(ran, "06_promises")["error"].splitlines()
    assert lines[0] == "cell 2: 'no error' -> tagged `raises-exception`, but it raised nothing"
    assert lines[1] == "cell 3: import warnings -> a warning: FutureWarning: an old name"
    assert lines[2].startswith("cell 4: 'no verdict' -> 1 exercise(s) to check, 0 verdict(s)")


def test_the_text_has_a_line_per_chapter_and_no_colours(ran):
    assert "\x1b" not in ran[1]
    assert "00_fine: started" in ran[1]
    assert "00_fine: passed, 6 cells" in ran[1]
    assert "report.html" in ran[1]


def test_no_child_carries_the_mark_of_a_run_any_more(ran):
    carriers = []
    for process in psutil.process_iter():
        try:
            if str(ran[3]) in process.cwd():
                carriers.append(process)
        except psutil.Error:
            continue
    assert carriers == []


def is_running(file):
    return processes.lives(int(file.read_text(encoding="utf-8")))


def wait_for(condition, seconds=120):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.05)


def test_ctrl_c_ends_every_kernel_and_resume_goes_on(tmp_path):
    hour = "if not Path('go').exists():\n    time.sleep(3600)"
    folder = toys.write(
        tmp_path / "notebooks",
        _00_fine=notebook(parameters(), code("1")),
        _01_waits=notebook(parameters(), code(GRANDCHILD), code(hour)),
        _02_later=notebook(parameters(), code("2")),
    )
    out = tmp_path / "out"
    run = ("run", "--notebooks", folder, "--out", out, "--jobs", "1")
    process = toys.course(*run)
    wait_for(lambda: (out / "pids.txt").exists() and (out / "pids.txt").read_text())
    process.send_signal(signal.CTRL_BREAK_EVENT if sys.platform == "win32" else signal.SIGINT)
    printed, _ = process.communicate(timeout=400)
    assert process.returncode == 130, printed
    again = shlex.join(["course", "run", "--resume", *map(str, run[1:])])
    assert f"this command runs the rest:\n    {again}\n" in printed or sys.platform == "win32"
    assert not is_running(out / "pids.txt")
    states = [chapter["status"] for chapter in json.loads((out / "report.json").read_text())["chapters"]]
    assert states == ["passed", "interrupted", "interrupted"]

    (out / "go").touch()
    notebook_before = (out / "00_fine.ipynb").stat().st_mtime_ns
    resumed = GRANDCHILD_ENDS  # the second run must not leave the grandchild behind
    book = nbformat.read(folder / "01_waits.ipynb", as_version=4)
    book.cells[1].source = resumed
    nbformat.write(book, folder / "01_waits.ipynb")
    process = toys.course(*run, "--resume")
    printed, _ = process.communicate(timeout=400)
    assert process.returncode == 0, printed
    report = json.loads((out / "report.json").read_text())
    assert [chapter["status"] for chapter in report["chapters"]] == ["passed"] * 3
    assert (out / "00_fine.ipynb").stat().st_mtime_ns == notebook_before, "a passed chapter ran again"


GRANDCHILD_ENDS = "import time\nfrom pathlib import Path"
