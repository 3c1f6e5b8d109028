"""The runner of the benchmarks, tried with toys; what benchmarks/README.md shows is what the results files hold."""

import importlib.util
import json
import re
import sys
import time
import tomllib

import pytest

from course_utils import PROJECT
from lessonkit.system import processes

FOLDER = PROJECT / "benchmarks"
HELPERS = {"all", "book", "plots", "published_mnist", "finetune_way", "cached_head"}
ROWS = tomllib.loads((FOLDER / "benchmarks.toml").read_text(encoding="utf-8"))
FACTS = {
    "os": "Linux 6.1 x86_64",
    "cpu_capability": "AVX512",
    "cores": 2,
    "accelerator": None,
    "python": "3.11.9",
    "torch": "2.14.1",
    "torchvision": "0.29.1",
}
TOYS = {
    "good": 'print("at work")\nprint(\'{"ratio": 3.0, "low": 2.5, "high": 4.0}\')',
    "missed": 'import sys\nprint(\'{"ratio": 0.5}\')\nsys.exit("Missed: the ratio is 0.5.")',
    "broken": 'print("at work")\nraise RuntimeError("no such thing [here]")',
    "silent": "pass",
    "garbage": "print('{\"ratio\": 1.0')",
    "infinite": "print('{\"ratio\": NaN}')",
    "number": "print(3)",
    "unable": 'import sys\nprint("No photographs: set COURSE_DATA.")\nsys.exit(2)',
}


def module(name):
    """A file of benchmarks/, loaded without leaving its folder on the path."""
    sys.path.insert(0, str(FOLDER))
    try:
        spec = importlib.util.spec_from_file_location(f"benchmarks_{name}", FOLDER / f"{name}.py")
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
    finally:
        sys.path.remove(str(FOLDER))
    return found


runner = module("all")
book = runner.book


def toy_folder(root, toys):
    """A project of its own: scripts, their rows and in their folder a README with the two markers."""
    folder = root / "benchmarks"
    folder.mkdir()
    rows = []
    for name, source in toys.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
        figure = 'key = "ratio"\nlow = "low"\nhigh = "high"\ngoal = 2\nbetter = "higher"\nunit = "times"\n'
        rows.append(f'[{name}]\nclaim = "toy {name}"\n[[{name}.figures]]\n{figure}')
    (folder / "benchmarks.toml").write_text("\n".join(rows), encoding="utf-8")
    (folder / "README.md").write_text(f"# Toy\n{book.START}\nold\n{book.END}\nafter\n", encoding="utf-8")
    return folder


@pytest.fixture
def quiet(monkeypatch):
    """No half second of watching the machine before each toy, and facts that hang on no machine."""
    monkeypatch.setattr(runner.psutil, "cpu_percent", lambda interval: 0.0)
    monkeypatch.setattr(runner.machine, "describe", lambda: FACTS)


def test_all_of_them_run_and_the_exit_status_names_those_that_failed(tmp_path, quiet, capfd):
    folder = toy_folder(tmp_path, TOYS)
    assert runner.main(["--folder", str(folder)]) == 1
    said = capfd.readouterr()
    for name in ("missed", "broken", "silent", "garbage", "infinite", "number"):
        assert name in said.err
    assert "good" not in said.err and "unable" not in said.err
    found = json.loads((folder / "results" / "linux-avx512-2cores.json").read_text(encoding="utf-8"))
    assert set(found["entries"]) == {"good", "missed"}
    good, missed = found["entries"]["good"], found["entries"]["missed"]
    assert (good["outcome"], good["status"], good["result"]["ratio"]) == ("goal met", 0, 3.0)
    assert (missed["outcome"], missed["sentence"]) == ("goal missed", "Missed: the ratio is 0.5.")
    assert good["versions"]["torch"] == "2.14.1" and re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC$", good["date"])
    without = {name: (entry["outcome"], entry["sentence"]) for name, entry in found["without_figure"].items()}
    assert without["unable"] == ("cannot run here", "No photographs: set COURSE_DATA.")
    assert "RuntimeError: no such thing [here]" in without["broken"][1]
    assert "it printed nothing" in without["silent"][1]
    for name in ("garbage", "infinite", "number"):
        assert without[name][0] == "failed" and "must be a JSON object" in without[name][1]
    picture = folder / "results" / "linux-avx512-2cores-good.png"
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size <= 60 * 1024
    page = (folder / "README.md").read_text(encoding="utf-8")
    assert "| toy good | ≥ 2 | [3 times (2.5 to 4)](results/linux-avx512-2cores-good.png) |" in page
    assert "**missed**" in page and "- `unable` on linux-avx512-2cores" in page
    assert page.startswith("# Toy\n") and page.endswith(f"{book.END}\nafter\n") and "old" not in page


def test_a_later_run_of_one_leaves_the_others_and_a_failure_leaves_the_last_figure(tmp_path, quiet):
    folder = toy_folder(tmp_path, {"good": TOYS["good"], "unable": TOYS["unable"]})
    assert runner.main(["--folder", str(folder)]) == 0
    (folder / "good.py").write_text(TOYS["broken"], encoding="utf-8")
    assert runner.main(["--folder", str(folder), "good"]) == 1
    path = folder / "results" / "linux-avx512-2cores.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["entries"]["good"]["result"]["ratio"] == 3.0
    assert set(found["without_figure"]) == {"good", "unable"}
    (folder / "good.py").write_text(TOYS["good"], encoding="utf-8")
    assert runner.main(["--folder", str(folder), "good"]) == 0
    assert set(json.loads(path.read_text(encoding="utf-8"))["without_figure"]) == {"unable"}
    assert not list(path.parent.glob("*.part")) and not list(path.parent.glob("*.saving"))


def test_one_that_hangs_is_ended_with_its_whole_tree(tmp_path, quiet):
    child = "import time; time.sleep(600)"
    hanging = (
        "import subprocess, sys, time\n"
        f"process = subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True)\n"
        "open('pid.txt', 'w').write(str(process.pid))\n"
        "time.sleep(600)"
    )
    folder = toy_folder(tmp_path, {"hanging": hanging})
    start = time.monotonic()
    entry = runner.run("hanging", {}, folder=folder, limit=3, facts=FACTS)
    assert (entry["outcome"], entry["status"], entry["result"]) == ("ended by the time limit", None, None)
    assert entry["sentence"] == "It had not ended after 3 s." and time.monotonic() - start < 60
    assert processes.family(f"bench-{runner.os.getpid()}-hanging") == []
    left = tmp_path / "pid.txt"
    if left.exists():  # on a machine so busy that the toy had not begun, there is no child to look for
        assert not processes.lives(int(left.read_text()))


def test_one_that_leaves_a_process_behind_has_failed(tmp_path, quiet):
    silent = "stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL"
    source = (
        "import subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], {silent})\n"
        "print('{\"ratio\": 3.0}')"
    )
    folder = toy_folder(tmp_path, {"leaving": source})
    entry = runner.run("leaving", {}, folder=folder, limit=60, facts=FACTS)
    assert entry["outcome"] == "failed" and "left processes behind" in entry["sentence"]
    assert processes.family(f"bench-{runner.os.getpid()}-leaving") == []


def test_a_damaged_results_file_is_refused_and_left_as_it_is(tmp_path, quiet, capfd):
    folder = toy_folder(tmp_path, {"good": TOYS["good"]})
    path = folder / "results" / "linux-avx512-2cores.json"
    path.parent.mkdir()
    path.write_text('{"machine": {}, "entr', encoding="utf-8")
    assert runner.main(["--folder", str(folder)]) == 1
    assert "is no results file" in capfd.readouterr().err
    assert path.read_text(encoding="utf-8") == '{"machine": {}, "entr'


def test_a_name_that_is_no_benchmark_is_refused_before_anything_runs(capfd):
    with pytest.raises(SystemExit):
        runner.main(["overhed"])
    assert "no benchmark called overhed: there are loader" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({}, "linux-avx512-2cores"),
        ({"cpu_capability": "AVX2", "cores": 1}, "linux-avx2-1core"),
        ({"os": "Darwin 24.1 arm64", "cpu_capability": "DEFAULT", "accelerator": "mps"}, "darwin-arm64-2cores-mps"),
        ({"os": "Darwin 22.0 x86_64", "cpu_capability": "NO AVX"}, "darwin-x86_64-2cores"),
        ({"accelerator": "NVIDIA H100 80GB HBM3 (cuda)"}, "linux-avx512-2cores-nvidia-h100-80gb-hbm3"),
    ],
)
def test_a_machine_is_named_by_facts(facts, name):
    assert book.machine_name(FACTS | facts) == name


def test_every_benchmark_has_a_row_and_every_figure_with_a_goal_a_direction():
    scripts = {path.stem for path in FOLDER.glob("*.py")} - HELPERS
    assert scripts <= set(ROWS), "a script that `make bench` would not run: give it a row in benchmarks.toml"
    for name, row in ROWS.items():
        assert row["claim"] and row["figures"], name
        for figure in row["figures"]:
            assert "goal" not in figure or figure["better"] in ("higher", "lower"), (name, figure)


def test_the_table_agrees_with_the_results():
    expected = book.table(ROWS, FOLDER / "results", beside=FOLDER)
    assert book.part_of(FOLDER / "README.md").read() == expected, "run `python benchmarks/all.py --readme`"


def test_every_result_has_its_picture_and_no_picture_is_large():
    for path in sorted((FOLDER / "results").glob("*.json")):
        for name, entry in book.read(path)["entries"].items():
            if book.figures(ROWS.get(name, {}), entry["result"]):
                assert path.with_name(f"{path.stem}-{name}.png").exists(), (path.name, name)
    for picture in (FOLDER / "results").glob("*.png"):
        assert picture.stat().st_size <= 60 * 1024, picture.name


def test_the_overheads_interval_and_imports():
    overhead = module("overhead")
    assert overhead.interval(list(range(1, 31))) == (10, 21)  # the tabulated ranks for 30 values at 95 %
    assert overhead.interval([3.0, 1.0]) == (1.0, 3.0)
    ours, others = overhead.import_lines(PROJECT / "notebooks" / "05_training.ipynb")
    assert "from course_utils.training import fit" in ours and "from torch import nn" in others
    assert not any("course_utils" in line for line in others)
    written = overhead.import_lines(PROJECT / "notebooks" / "10_multi_gpu.ipynb")
    assert not any("by_hand" in line for lines in written for line in lines), "a module that a cell writes"
    assert overhead.import_ms(["import course_utils"], [], 1) < 1000
    with pytest.raises(ImportError, match="no_such_module"):
        overhead.import_ms(["import no_such_module"], [], 1)


def test_the_overheads_two_loops_end_with_the_same_weights(monkeypatch):
    overhead = module("overhead")
    torch = overhead.torch
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)  # nbval brings it, and the bar would be drawn
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    draw = torch.Generator().manual_seed(0)
    batches = overhead.Batches(torch.randn(70, 1, 28, 28, generator=draw), torch.arange(70) % 10)
    runs = {way: overhead.run(way, [batches, batches]) for way in ("bare", "off", "on")}
    overhead.check_equal(runs)
    seconds, weights, seen = runs["on"]
    with pytest.raises(AssertionError, match="other weights"):
        overhead.check_equal(runs | {"on": (seconds, weights + 1e-7, seen)})
