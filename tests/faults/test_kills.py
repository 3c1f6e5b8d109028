"""Whoever is killed at any moment is named, nothing stays of it, and the next run works; so it is with Ctrl-C."""

import importlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import aftermath
import kills
import nbformat
import pytest
import toys
from faults import SOAK, many
from toys import code, notebook, parameters

from course_utils import PROJECT
from course_utils.chapters.multi_gpu import torchrun
from lessonkit.notebook.catalog import find, select
from lessonkit.notebook.solutions import solve
from lessonkit.runner import console
from lessonkit.runner.request import RunRequest
from lessonkit.runner.run import PASSED, carry_out
from lessonkit.system import processes

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL"),
    # Until `make soak` has shown them whole: a moment that nobody has met before must not fail another's change.
    pytest.mark.skipif(not SOAK, reason="kills at random moments: make soak"),
]

PAUSE = "import time\nfrom pathlib import Path\npause = 0 if Path('go').exists() else 2.0"
KILL = getattr(signal, "SIGKILL", 9)
VICTIMS = {  # row -> what its command holds, and what its chapter's entry says
    "kernel killed": ("ipykernel_launcher", r"the kernel died \(signal {}|the kernel did not start"),
    "runner's child killed": ("lessonkit.runner.child", "the runner's child was killed by {}"),
}
LONG = [code("time.sleep(pause)")] * 12
RANKS = "from course_utils.launch import run_ranks\nrun_ranks(lambda rank: __import__('time').sleep(10 * pause), 2)"
WORKERS = """from torch.utils.data import DataLoader
from course_utils.chapters.datasets import Waiting
for batch in DataLoader(Waiting(40, pause / 2), num_workers=2): pass"""


def fresh(cells):
    """Cells of their own: each has an id."""
    return [code(cell.source) for cell in cells]


def chapters(folder, number, *first):
    """So many chapters that take half a minute each, or no time where the file `go` is beside the results."""
    books = {
        f"_{one:02}_c{one}": notebook(parameters(), code(PAUSE), *map(code, first), *fresh(LONG))
        for one in range(number)
    }
    return toys.write(folder, **books)


def entries(out):
    """name -> its entry in the report."""
    found = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return {entry["name"]: entry for entry in found["chapters"]}


def series(rows, tmp_path, monkeypatch, *, first=(), jobs=3):
    """Run a chapter for each of `rows` in this process; in each kill a kernel or a child of the runner."""
    folder, out = chapters(tmp_path / "notebooks", len(rows), *first), tmp_path / "out"
    request = RunRequest(out=out, notebooks=folder, device="cpu", jobs=jobs)
    over = {}  # name -> when the runner was done with it
    importlib.import_module("course_utils.datasets")  # as the first entry of a report does, which takes seconds

    def wanted(command, process):
        name = kills.chapter_of(process)
        row = rows[int(name[:2])] if name[:2].isdigit() else None
        return name if row and VICTIMS[row.fault][0] in command else None

    with kills.ground(monkeypatch, tmp_path) as run, monkeypatch.context() as patch:
        patch.setattr(console.Lines, "done", lambda self, result: over.update({result.name: time.perf_counter()}))
        with kills.Hunter(wanted, random.Random(18), within=3.0) as hunter:
            carry_out(request)
        found = entries(out)
        (out / "go").touch()
        again = carry_out(replace(request, resume=True))
    stays = kills.left(run)
    assert set(found) == set(hunter.kills), "each was to be killed"
    for name, (how, moment) in hunter.kills.items():
        row, entry, lost = rows[int(name[:2])], found[name], stays
        said = VICTIMS[row.fault][1].format(how.name)
        if entry["status"] != "failed" or not re.search(said, entry["error"] or ""):
            lost = f"{name}, {how.name}: {entry['status']}, {entry['error']}"
        if again != PASSED:
            lost = f"{name}: the next run ended with {again}: {entries(out)[name]['error']}"
        row.count(lost, seconds=over[name] - moment)


def test_a_kernel_or_a_runners_child_that_is_killed_is_named(tmp_path, monkeypatch, fault):
    with fault("kernel killed", goal=70) as kernel, fault("runner's child killed", goal=40) as child:
        for number in range(many(1, 10)):
            some = tmp_path / str(number)
            series([kernel, kernel, child] * many(1, 3) + [kernel, child][: many(0, 2)], some, monkeypatch)
        if SOAK:
            for name, cell in (("ranks", RANKS), ("workers", WORKERS)):
                series([kernel] * 5, tmp_path / name, monkeypatch, first=[cell], jobs=2)


def started(process, line):
    """Read until a line that holds `line`; return all that was read."""
    read = ""
    for text in process.stdout:
        read += text
        if line in text:
            break
    return read


def broken_off(chains, tmp_path, *, words=(), within=4):
    """Break off runs into one folder, one after the other, as each of `chains` says: lists of (row, signal, group).

    At the end of a chain the run is taken up again, and must pass.
    """
    chance = random.Random(18)
    plans = [[(*link, chance.random() < 0.3, chance.random()) for link in chain] for chain in chains]

    def play(number):
        out, found = tmp_path / f"out {number}", []
        given = ("run", *words, "--out", out, "--jobs", 2, "--device", "cpu")
        with aftermath.watched(project=tmp_path) as run:
            for row, how, group, early, moment in plans[number]:
                process = toys.course(*given, **run.environment)
                printed = "" if early else started(process, ": started")
                them = kills.kill_after(process, moment * (8 if early else within), how, group=group)
                start = time.perf_counter()
                printed += process.communicate(timeout=kills.PATIENCE)[0]
                alive = [processes.describe(it) for it in kills.ended(them)]
                alive += processes.leftovers(run.mark, patience=kills.PATIENCE)
                seconds = time.perf_counter() - start
                kills.tidied(run)
                alive += [f"{path.name} with {[*path.rglob('*')]}" for path in run.temporary.iterdir()]
                lost = f"left: {alive}" if alive else wrong_end(process.returncode, printed, out, how)
                found.append([row, lost, seconds])
            out.mkdir(exist_ok=True)
            (out / "go").touch()
            process = toys.course(*given, **run.environment)
            printed = process.communicate(timeout=kills.PATIENCE)[0]
        if process.returncode:
            found[-1][1] = f"the next run: {printed}"
        elif stays := kills.left(run):
            found[-1][1] = stays
        return found

    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(play, range(len(plans))):
            for row, lost, seconds in found:
                row.count(lost, seconds=seconds)


def wrong_end(code, printed, out, how):
    """What is wrong with the end of a `course run` that was broken off by a signal, or None."""
    if code == 0:
        return None if "passed" in printed else printed  # it was done before
    if how == signal.SIGKILL:
        return None if code == -how else f"{code}: {printed}"
    if code == -signal.SIGINT and "lessonkit/runner" not in printed and ": started" not in printed:
        return None  # it was Python that still started, and not yet the course
    own = (
        "Interrupted before a chapter was run." in printed
        or "Interrupted. The results of chapters that passed are kept" in printed
    )
    if code != 130 or not own or "Traceback" in printed:
        return f"{code}: {printed}"
    if "--resume" in printed:
        for name, entry in entries(out).items():
            if entry["status"] not in ("passed", "interrupted"):
                return f"{name}: {entry['status']}, {entry['error']}"
    return None


def test_a_run_that_is_broken_off_ends_in_order(tmp_path, fault):
    """Ctrl-C goes to the group, as a terminal sends it, or to the parent alone; a kill to the parent."""
    words = ("--notebooks", chapters(tmp_path / "notebooks", many(1, 3)))
    with fault("Ctrl-C in course run", goal=100) as pressed, fault("runner's parent killed", goal=20) as killed:
        group, alone, kill = (pressed, signal.SIGINT, True), (pressed, signal.SIGINT, False), (killed, KILL, False)
        if not SOAK:
            broken_off([[group, alone, kill]], tmp_path, words=words)
            return
        broken_off([[group, alone] * 4 + [group, kill, kill]] * 10, tmp_path, words=words)
        broken_off([[group] * 5] * 2, tmp_path / "real", words=("01", "--core"), within=15)


WAITS = """
import os, pathlib, sys, time
pathlib.Path(sys.argv[1], os.environ["RANK"] + ".up").touch()
while not pathlib.Path(sys.argv[1], "go").exists():
    time.sleep(0.05)
"""
TORCHRUN = """
import sys
from course_utils.chapters.multi_gpu import torchrun
torchrun.run(sys.argv[1], sys.argv[2], nproc=2, timeout=600)
"""
POOL = """
import time
from course_utils.launch import run_ranks
run_ranks(lambda rank: time.sleep(600), 2, timeout=600)
"""


def parents(row, tmp_path, number, words, *, within, side_by_side=3):
    """Kill so many programs that have started processes of ours; with each its family ends, and no file stays."""
    chance = random.Random(18)

    def one(moment):
        with aftermath.watched(project=tmp_path) as run:
            process = subprocess.Popen(
                [sys.executable, *words], cwd=PROJECT, env=os.environ | run.environment, start_new_session=True
            )
            them = kills.kill_after(process, moment * within)
            start = time.perf_counter()
            process.wait(kills.PATIENCE)
            alive = [processes.describe(it) for it in kills.ended(them)]
            alive += processes.leftovers(run.mark, patience=kills.PATIENCE)
            seconds = time.perf_counter() - start
            kills.tidied(run)
        return f"after {moment * within:.1f} s: left {alive}" if alive else kills.left(run), seconds

    with ThreadPoolExecutor(side_by_side) as pool:
        for lost, seconds in pool.map(one, [chance.random() for _ in range(number)]):
            row.count(lost, seconds=seconds)


def test_with_its_parent_a_torchrun_ends(tmp_path, fault):
    script = tmp_path / "waits.py"
    script.write_text(WAITS, encoding="utf-8")
    with fault("torchrun's parent killed", goal=20) as row:
        parents(row, tmp_path, many(1, 20), ["-c", TORCHRUN, script, tmp_path], within=12)


def test_with_their_parent_ranks_end(tmp_path, fault):
    with fault("ranks' parent killed", goal=15) as row:
        parents(row, tmp_path, 15, ["-c", POOL], within=15)


def an_agent(command, process):
    return f"{process.pid}" if "chapters.multi_gpu import agent" in command else None


def ending_of(script, *words, **options):
    """What torchrun's agents wrote, or the error where one of them waited for another that was killed."""
    try:
        finished = torchrun.run(script, *words, timeout=kills.PATIENCE, **options)
    except TimeoutError as error:
        return str(error)
    return finished.agent if finished.code else f"it ended well: {finished}"


def test_a_torchrun_that_is_killed_is_named(tmp_path, monkeypatch, fault):
    script = tmp_path / "waits.py"
    script.write_text(WAITS, encoding="utf-8")
    chance = random.Random(18)
    with fault("torchrun agent killed", goal=25) as row, kills.ground(monkeypatch, tmp_path) as run:
        for number in range(25):
            options = {"nproc": 1, "nnodes": 2} if number % 5 == 4 else {"nproc": 2}
            with kills.Hunter(an_agent, chance, within=10, most=1, soft=False) as hunter:
                said = ending_of(script, tmp_path, **options)
                seconds = time.perf_counter()
            ((_, moment),) = hunter.kills.values()
            named = re.search(r"node \d: torchrun was killed by SIGKILL", said)
            row.count(None if named else said, seconds=seconds - moment)
        (tmp_path / "go").touch()
        assert torchrun.run(script, tmp_path, nproc=2, timeout=kills.PATIENCE).code == 0
    assert kills.left(run) is None


def test_a_rank_that_is_killed_is_named(tmp_path, monkeypatch, fault):
    from course_utils.launch import RankError, run_ranks

    chance = random.Random(18)

    def wanted(command, process):
        rank = re.search(r'"rank": (\d)', command) if "course_utils.ranks import worker" in command else None
        return rank and f"rank {rank[1]}"

    with fault("rank killed", goal=25) as row, kills.ground(monkeypatch, tmp_path) as run:
        for _ in range(25):
            with kills.Hunter(wanted, chance, within=8, most=1) as hunter, pytest.raises(RankError) as caught:
                run_ranks(lambda rank: time.sleep(600), 2, timeout=kills.PATIENCE)
            seconds = time.perf_counter()
            ((name, (how, moment)),) = hunter.kills.items()
            named = str(caught.value).startswith(f"{name} of 2 died: killed by {how.name}")
            row.count(None if named else f"{name}, {how.name}: {caught.value}", seconds=seconds - moment)
        assert run_ranks(lambda rank: rank, 2, timeout=kills.PATIENCE) == [0, 1]
    assert kills.left(run) is None


# Killed while its batch is fetched from it, a worker is named by nobody: torch shows the socket's own error.
OF_A_SOCKET = "while a batch was fetched from a worker: "
LOADERS = """
import json, os, random, signal, sys, time
from torch.utils.data import DataLoader
from course_utils.chapters.datasets import Waiting

def whole(context):
    batches = DataLoader(Waiting(8, 0.001), num_workers=2, multiprocessing_context=context)
    return sum(len(batch) for batch in batches)

if __name__ == "__main__":
    chance = random.Random(18)
    for number in range(int(sys.argv[1])):
        context = "spawn" if number % 10 == 9 else "fork"
        batches = iter(DataLoader(Waiting(10_000, 0.002), num_workers=2, multiprocessing_context=context))
        if context == "spawn":
            next(batches)  # over one that dies while it starts, see tests/course/test_interrupt.py
        time.sleep(chance.random() / 4)
        worker, how = chance.choice(batches._workers), chance.choice([signal.SIGKILL, signal.SIGTERM])
        said, start = "no error", time.perf_counter()
        try:
            os.kill(worker.pid, how)
            for batch in batches:
                pass
        except RuntimeError as error:
            said = str(error)
        except (OSError, EOFError) as error:
            said = f"{OF_A_SOCKET}{error!r}"
        seconds = time.perf_counter() - start
        pid = worker.pid
        del batches, worker
        print(json.dumps([pid, said, seconds, whole(context)]), flush=True)
"""


def test_a_worker_that_is_killed_is_named(tmp_path, fault):
    program = tmp_path / "loaders.py"
    program.write_text(f"OF_A_SOCKET = {OF_A_SOCKET!r}\n{LOADERS}", encoding="utf-8")
    with fault("DataLoader worker killed", goal=70) as row:
        with aftermath.watched(project=tmp_path) as run:
            command = [sys.executable, program, str(many(2, 70))]
            env = os.environ | run.environment | {"PYTHONPATH": str(PROJECT), "OMP_NUM_THREADS": "1"}
            ran = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600)
        assert ran.returncode == 0, ran.stderr
        stays = kills.left(run)
        unnamed = ran.stdout.count(OF_A_SOCKET)
        row.note = f"of {unnamed} torch has shown no more than a connection's error" if unnamed else ""
        for line in ran.stdout.splitlines():
            pid, said, seconds, samples = json.loads(line)
            named = re.match(
                rf"DataLoader worker \(pid(\(s\))? {pid}\) (is killed by signal|exited unexpect)", said
            )
            named = named or said.startswith(OF_A_SOCKET)
            row.count(stays if named and samples == 8 else f"{said}, then {samples} samples", seconds=seconds)


def submissions(folder, number):
    """So many untouched and solved notebooks of the first chapter, as a room hands them in."""
    for one in range(number):
        book = nbformat.read(select(find(), ["00"])[0].path, as_version=4)
        solve(book)
        (folder / f"learner{one}").mkdir(parents=True)
        nbformat.write(book, folder / f"learner{one}" / "00_start_here.ipynb")
    return folder


def graded(out):
    """learner -> the states and words of the rows."""
    found = json.loads((out / "grades.json").read_text(encoding="utf-8"))["submissions"]
    return {one["learner"]: [(row["state"], row["message"]) for row in one["rows"]] for one in found}


def test_a_grader_that_is_killed_is_named(tmp_path, fault):
    folder, out, chance = submissions(tmp_path / "in", 8), tmp_path / "out", random.Random(18)
    victims = ("sandbox.child", "spawn_main")

    def wanted(command, process):
        return next((f"{victim} {process.pid}" for victim in victims if victim in command), None)

    with fault("grader's child killed", goal=8) as row:
        with aftermath.watched(project=tmp_path) as run:
            given = ("grade", folder, "--out", out, "--jobs", 2)
            process = toys.course(*given, **run.environment)
            with kills.Hunter(wanted, chance, within=12, pid=process.pid, most=8, soft=False) as hunter:
                printed = process.communicate(timeout=2 * kills.PATIENCE)[0]
            first = graded(out)
            process = toys.course(*given, "--anew", **run.environment)
            again = process.communicate(timeout=2 * kills.PATIENCE)[0]
        stays = kills.left(run)
        unnamed = [
            f"{learner}: {state}, {words}"
            for learner, rows in first.items()
            for state, words in rows
            if state != "passed" and not re.search("signal SIGKILL|judge's own process died", words)
        ]
        if len(first) < 8 or unnamed:
            stays = f"{unnamed}: {printed}"
        if process.returncode or not all(state == "passed" for rows in graded(out).values() for state, _ in rows):
            stays = f"the next one: {again}"
        for _ in hunter.kills:
            row.count(stays)


def test_with_its_parent_a_grading_ends(tmp_path, fault):
    folder = submissions(tmp_path / "in", 2)
    words = ["-m", "lessonkit.cli", "grade", folder, "--out", tmp_path / "out"]
    with fault("grader's parent killed", goal=7) as row:
        parents(row, tmp_path, 7, words, within=25, side_by_side=2)
        done = subprocess.run([sys.executable, *words], cwd=PROJECT, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr


FORGETS = """
import subprocess, sys, tempfile, time
tempfile.mkstemp(prefix="forgotten")
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
time.sleep(600)
"""


def test_what_outlives_its_parent_and_a_forgotten_file_are_seen(tmp_path, monkeypatch):
    with kills.ground(monkeypatch, tmp_path) as run:
        parent = subprocess.Popen([sys.executable, "-c", FORGETS])
        until = time.monotonic() + kills.PATIENCE
        while not kills.below(parent.pid) and time.monotonic() < until:
            time.sleep(0.05)
        parent.kill()
        parent.wait()
    assert "still running: pid" in kills.left(run) and "temporary file: forgotten" in kills.left(run)
