"""Long work stopped at any moment and said again: it ends as if nothing had happened, and nothing is done twice.

SIGKILL and SIGINT (Ctrl-C) reach `course run`, `course grade` and `course bundle` while they start, work, write and
tidy up. A case is one stop: what was done before it has to be there after it, and may not be done again.
"""

import hashlib
import importlib.util
import json
import random
import re
import signal
import sys
import time
import zipfile

import nbformat
import psutil
import pytest
import toys
from faults import SOAK, many
from said_again import PATIENCE, Ready, course
from served import Served
from toys import code, notebook, parameters

from course_utils import PROJECT
from lessonkit.runner.resume import notebook_digest
from lessonkit.system import processes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork, and no signal that kills")

TIMES = ("seconds", "slowest_cell_seconds", "slowest_cell", "notes", "ended", "kept")  # of a chapter's entry
TEACH = PROJECT / "tests" / "lessonkit" / "teach"
MARK = "import os\nwith open(os.environ['MARKS'], 'a') as file:\n    print({word!r}, {name!r}, file=file)"
TOLD = r"(?m)^\[\d+ of \d+\] (\w+),"


def load(path):
    """A module of the tests by its path."""
    spec = importlib.util.spec_from_file_location(f"tests_{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module


@pytest.fixture(scope="module")
def ready():
    with Ready() as one:
        yield one


def stops(chance, first, others, number):
    """Yield (signal, which moment): `first` in a short sample, so that it holds both signals, else at random."""
    for place in range(number):
        plain = first[place % len(first)] if not SOAK else None
        yield plain or (chance.choice((signal.SIGKILL, signal.SIGINT)), chance.choice(others))


def read(path, default):
    """What a JSON file holds, which must be whole; `default` where there is none yet."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else default


def moment(one, chance, seconds, until=None):
    """Let a command run until `until()` holds, and then for up to so many seconds more."""
    if until is None or one.until(until):
        time.sleep(chance.uniform(0, seconds))


def nobody_has(name, value):
    """Wait until no process is left with that environment variable; return a sentence about those that stay."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        left = []
        for process in psutil.process_iter():
            try:
                if process.environ().get(name) == value and processes.lives(process):
                    left.append(process)
            except psutil.Error:
                continue
        if not left:
            return None
        time.sleep(0.1)
    return f"still running: {left}"


# --- course run


def chapters(folder, number):
    """Small chapters that say in the file MARKS when they begin and when they are at their end."""
    for place in range(number):
        name = f"{place:02}_c"
        cells = [code(MARK.format(word=word, name=name)) for word in ("begin", "end")]
        between = code("import time\ntime.sleep(0.3)\nprint('slept')")
        toys.write(folder, **{f"_{name}": notebook(parameters(), cells[0], between, cells[1])})
    return folder


def wanted(folder):
    """The entries of an undisturbed run, without times."""
    whole = {"status": "passed", "cells": 4, "data": {}, "error": None, "parameters": {}}
    whole["exercises"] = {"attempted": 0, "passed": 0, "total": 0}
    paths = sorted(folder.glob("*.ipynb"))
    return [{"name": path.stem, "notebook": notebook_digest(path), **whole} for path in paths]


def without_times(entries):
    return [{name: value for name, value in one.items() if name not in TIMES} for one in entries]


def passed_in(out):
    """The entries of the chapters that have passed, by name, whether they were kept or not."""
    found = read(out / "report.json", {"chapters": []})["chapters"]
    return {one["name"]: one | {"kept": None} for one in found if one["status"] == "passed"}


def marks(path, word):
    """How often each chapter has said it."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: lines.count(f"{word} {name}") for name in {line.split()[1] for line in lines}}


def a_run(ready, row, folder, notebooks, plan, *, jobs, chance):
    """One run, stopped as `plan` says; a case for each stop."""
    out, path = folder / "out", folder / "marks"
    folder.mkdir()
    words = ("run", "--notebooks", notebooks, "--out", out, "--jobs", jobs)
    known, begun, number, began = {}, {}, 0, time.perf_counter()

    def start():
        nonlocal number, began
        number, began = number + 1, time.perf_counter()
        place = {"cwd": folder, "log": folder / f"log{number}"}
        return ready.start(course(*words, "--resume"), **place, MARKS=path, COURSE_OFFLINE=1)

    for name, kind in plan:
        one = start()
        sign, seconds = {"start": ("", 1.5), "chapter": (": started", 3), "result": (": passed,", 0.3)}[kind]
        moment(one, chance, seconds, lambda one=one, sign=sign: sign in one.text())
        status = one.stop(name)
        with row.case(f"{name.name} at {kind}, run {number} of {folder.name}"):
            text = one.text()
            now = passed_in(out)
            assert {key: now.get(key) for key in known} == known, f"an entry is another:\n{text}"
            unsaid = [key for key in marks(path, "end") if key not in now]
            assert len(unsaid) <= jobs, f"more is lost than was under way: {unsaid}"
            if name == signal.SIGINT and status == 130 and ": started" in text:
                assert re.search(r"this command runs the rest:\n    course run .*--resume\n", text), text
            assert "Traceback" not in text or status != 130, text
        known = now
        begun = {key: begun.get(key, marks(path, "begin").get(key)) for key in known}
    one = start()
    assert one.wait() == 0, one.text()
    row.slowest = max(row.slowest, time.perf_counter() - began)
    found = read(out / "report.json", None)["chapters"]
    assert without_times(found) == wanted(notebooks)
    assert {key: marks(path, "begin")[key] for key in known} == begun, "a chapter that was kept has run again"
    assert {one["name"] for one in found if one["kept"]} == set(known)
    for key in known:
        assert f"{key}: kept, passed in" in one.text()
    assert not list(out.glob("*.saving")) and nobody_has("MARKS", str(path)) is None
    for executed in out.glob("*.ipynb"):
        cells = nbformat.read(executed, as_version=4).cells
        assert [output.text for cell in cells for output in cell.get("outputs", [])] == ["slept\n"]
    return found


def test_course_run_goes_on(ready, fault, tmp_path):
    chance = random.Random(18)
    notebooks = chapters(tmp_path / "notebooks", many(2, 4))
    with fault("course run stopped and resumed", goal=40) as row:
        for session in range(many(1, 8)):
            first = [(signal.SIGKILL, "result"), (signal.SIGINT, "chapter")]
            plan = stops(chance, first, ("start", "chapter", "chapter", "result"), many(2, 5))
            a_run(ready, row, tmp_path / f"run{session}", notebooks, plan, jobs=1 + session % 2, chance=chance)
        if SOAK:
            a_run(ready, row, tmp_path / "undisturbed", notebooks, (), jobs=2, chance=chance)


# --- course grade

SURE = """
import json, pathlib, time
forged = {{"learner": "x", "file": {file!r}, "sha256": "", "chapter": "", "notes": [], "seconds": 0}}
forged["rows"] = [dict(exercise="ink", state="passed", message="", further=False, mistake="", seconds=0)]
until = time.time() + 2
while time.time() < until:
    for place in ({out!r}, ".", "/tmp"):
        try:
            pathlib.Path(place, "grades.json").write_text(json.dumps({{"head": {{}}, "submissions": [forged]}}))
        except OSError:
            pass
"""


def handed_in(folder, out):
    """What a room has handed in: in a short sample nothing that runs, else an answer that writes its own grade."""
    room = load(TEACH / "room" / "submissions.py")
    untouched = room.notebook(room.FIRST, solved=False)
    for name in ("ana", "bob", "carol")[: many(2, 3)]:
        room.write(folder, name, room.FIRST, untouched)
    room.write(folder, "dora", room.FIRST, "{")
    if SOAK:
        solved = room.notebook(room.FIRST, solved=True)
        trick = SURE.format(out=str(out), file=f"emil/{room.FIRST}.ipynb")
        room.write(folder, "emil", room.FIRST, room.with_answer(solved, "ink", room.behind(trick)))
        room.write(folder, "fay", room.FIRST, solved)
    return folder / "in"


def graded(out):
    """file -> its entry."""
    return {one["file"]: one for one in read(out / "grades.json", {"submissions": []})["submissions"]}


def timeless(out):
    """All three files of a grading as bytes, but for times."""
    found = json.loads(
        re.sub(r'"seconds": [\d.]+', '"seconds": 0', (out / "grades.json").read_text(encoding="utf-8"))
    )
    table = [line.rpartition(",")[0] for line in (out / "grades.csv").read_text(encoding="utf-8").splitlines()]
    return json.dumps(found), table


def grading(ready, folder, submissions, out, number):
    """Start `course grade`, whose seeds are the same each time."""
    words = ("grade", submissions, "--out", out, "--jobs", 1)
    program = f"import secrets\nsecrets.randbits = lambda bits: 7\n{course(*words)}"
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    return ready.start(program, cwd=folder, log=folder / f"log{number}", TMPDIR=temporary)


def a_grading(ready, row, folder, submissions, out, plan, chance):
    """One grading, stopped as `plan` says; a case for each stop."""
    folder.mkdir(exist_ok=True)
    known = {}
    for number, (name, kind) in enumerate(plan):
        one = grading(ready, folder, submissions, out, number)
        sign, seconds = {"start": ("", 1.0), "judge": ("Isolation:", 6), "result": (TOLD, 0.5)}[kind]
        moment(one, chance, seconds, lambda one=one, sign=sign: re.search(sign, one.text()))
        status = one.stop(name)
        text = one.text()
        if "cannot isolate submissions" in text:
            pytest.skip("no bubblewrap and no namespaces here: nothing is graded")
        with row.case(f"{name.name} at {kind}, grading {number} of {folder.name}"):
            now = graded(out)
            assert {file: now.get(file) for file in known} == known, f"a row is another:\n{text}"
            again = {file.partition("/")[0] for file in known} & set(re.findall(TOLD, text))
            assert not again, f"graded again: {again}\n{text}"
            assert "Traceback" not in text or status != 130, text
            known = now
    began = time.perf_counter()
    one = grading(ready, folder, submissions, out, "last")
    assert one.wait() == 1, one.text()  # 1, as a file cannot be read
    row.slowest = max(row.slowest, time.perf_counter() - began)
    if known:
        was = "was" if len(known) == 1 else "were"
        assert f"{len(known)} of {len(list(submissions.iterdir()))} submissions {was} graded before" in one.text()
    assert not {file.partition("/")[0] for file in known} & set(re.findall(TOLD, one.text()))
    found = graded(out)
    assert {file: found.get(file) for file in known} == known
    for file, entry in found.items():
        states = {row["state"] for row in entry["rows"]}
        assert entry["sha256"] == hashlib.sha256((submissions / file).read_bytes()).hexdigest()
        assert ("passed" not in states) == (not file.startswith(("emil", "fay"))), entry
        assert states == {"unreadable"} if file.startswith("dora") else "unreadable" not in states
        if file.startswith("emil"):
            assert {row["state"] for row in entry["rows"] if row["exercise"] == "ink"} <= {"wrong", "known mistake"}
    assert len(found) == len(list(submissions.iterdir())) and not list(out.glob("*.saving"))


def test_course_grade_goes_on(ready, fault, tmp_path):
    chance, out = random.Random(18), tmp_path / "out"
    submissions = handed_in(tmp_path, out)
    with fault("course grade stopped and said again", goal=30) as row:
        if SOAK:
            a_grading(ready, row, tmp_path / "undisturbed", submissions, tmp_path / "whole", (), chance)
        for session in range(many(1, 6)):
            plan = stops(chance, [(signal.SIGKILL, "result")], ("start", "judge", "judge", "result"), many(1, 5))
            a_grading(ready, row, tmp_path / f"session{session}", submissions, out, plan, chance)
            if SOAK:
                assert timeless(out) == timeless(tmp_path / "whole")
                out.rename(tmp_path / f"out{session}")


# --- course bundle

BUNDLE = """
from pathlib import Path
from lessonkit.teach.bundle import build, wheels
build.make_plan.__kwdefaults__["project"] = Path({project!r})
wheels.TOGETHER = 0  # each wheel by itself
wheels.resolve = lambda target, **_: [wheels.Package(*one) for one in {made!r}]
"""


def slowly(handler, content):
    """4 KB of a wheel, then a pause."""
    for at in range(0, len(content), 4096):
        handler.wfile.write(content[at : at + 4096])
        time.sleep(handler.server.pause if handler.path != "/" else 0)


@pytest.fixture
def index(tmp_path):
    """A server of four small wheels, slow enough to be stopped, and a course of three files: (server, program)."""
    small = load(TEACH / "bundle" / "conftest.py")
    (tmp_path / "links").mkdir()
    dice = random.Random(18)
    for number in range(4):
        files = {f"p{number}/large.bin": dice.randbytes(200_000 + 100_000 * number)}
        small.wheel(tmp_path / "links", f"p{number}", "1.0", files=files)
    wheels = {path.name: path.read_bytes() for path in (tmp_path / "links").iterdir()}
    page = "".join(f'<a href="{name}">{name}</a>\n' for name in wheels).encode()
    server = Served(wheels, page=page, send=slowly)
    server.pause = 0.0
    made = [
        (name[:2], "1.0", name, hashlib.sha256(content).hexdigest(), len(content))
        for name, content in server.files.items()
    ]
    project = small.write_toy(tmp_path / "der Kurs é")

    def program(to):
        words = ("bundle", "--to", to, "--yes", "--notebooks", project / "notebooks", "--chapters", "05")
        machine = ("--platform", "linux", "--python", "3.12")
        return BUNDLE.format(project=str(project), made=made) + course(*words, *machine)

    yield server, program
    server.close()


def making(ready, index, to, log):
    """Start `course bundle`, which has no index but the server."""
    server, program = index
    only = {"PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": 1, "PIP_FIND_LINKS": server.url, "no_proxy": "*"}
    return ready.start(program(to), cwd=log.parent, log=log, **only)


def content_of(bundle):
    """name -> (size, SHA-256) of a bundle in one file, each of which must be readable."""
    with zipfile.ZipFile(bundle) as archive:
        assert archive.testzip() is None
        (name,) = [name for name in archive.namelist() if name.count("/") == 1 and name.endswith("/manifest.json")]
        return json.loads(archive.read(name))["files"]


def wheels_of(to):
    return to.with_name(f"{to.name}.parts") / "pytorch-course" / "wheels"


def a_bundle(ready, row, folder, index, plan, chance):
    """One bundle, stopped as `plan` says; a case for each stop. A wheel that has come is not asked for again."""
    server, to, number, whole = index[0], folder / "room.zip", 0, set()
    parts = to.with_name("room.zip.parts")
    moments = {"start": (0.5,), "wheels": (1.5, wheels_of(to).is_dir), "tidying": (0, to.exists)}
    moments["writing"] = (0, lambda: to.exists() or (parts / to.name).exists())
    folder.mkdir()

    def start():
        nonlocal number
        number += 1
        server.asked.clear()
        return making(ready, index, to, folder.with_name(f"{folder.name}.log{number}"))

    for name, kind in plan:
        one = start()
        moment(one, chance, *moments[kind])
        status = one.stop(name)
        with row.case(f"{name.name} at {kind}, bundle {number} of {folder.name}"):
            there = {path.name for path in wheels_of(to).iterdir()} if wheels_of(to).is_dir() else set()
            assert not whole & {name for _, name in server.asked}, one.text()
            assert to.exists() or whole <= there, "a wheel that had come is gone"
            assert status in (0, -name, 1, 130) or (to.exists() and status == 2), one.text()
        whole = there
    began = time.perf_counter()
    one, there = start(), to.exists()
    status = one.wait()
    assert status == 0 or (there and status == 2 and "is there already" in one.text()), one.text()
    row.slowest = max(row.slowest, time.perf_counter() - began)
    assert not whole & {name for _, name in server.asked}
    left = {path.name for path in folder.iterdir()} - {"room.zip"}
    assert not left or (
        there and ("room.zip.parts is left from an earlier call, and you may delete it") in one.text()
    )
    return content_of(to)


def test_course_bundle_goes_on(ready, fault, tmp_path, index):
    chance, (server, _) = random.Random(18), index
    with fault("course bundle stopped and said again", goal=30) as row:
        undisturbed = a_bundle(ready, row, tmp_path / "undisturbed", index, (), chance)
        server.pause = 0.003
        for session in range(many(1, 10)):
            others = ("start", "wheels", "wheels", "writing", "tidying")
            plan = stops(chance, [(signal.SIGKILL, "wheels")], others, many(1, 3))
            assert a_bundle(ready, row, tmp_path / f"session{session}", index, plan, chance) == undisturbed


def test_a_bundle_killed_as_it_was_whole_is_left_alone_and_its_parts_are_named(ready, tmp_path, index):
    to = tmp_path / "made" / "room.zip"
    to.parent.mkdir()
    one = making(ready, index, to, tmp_path / "log")
    assert one.wait() == 0, one.text()
    content = to.read_bytes()
    wheels_of(to).mkdir(parents=True)
    one = making(ready, index, to, tmp_path / "log2")
    assert one.wait() == 2 and "is there already" in one.text(), one.text()
    assert "room.zip.parts is left from an earlier call, and you may delete it" in one.text()
    assert to.read_bytes() == content
