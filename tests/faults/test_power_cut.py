"""The power fails in the middle of a save: what the course reads afterwards is the old thing or the new one, whole.

Each save is recorded as it is, and replayed up to each of its steps, on disks that keep what they promise and
nothing more (tests/helpers/power.py). A save that has returned is there for good, and the next one leaves nothing
unfinished.
"""

import io
import json
import os
import shutil
import sqlite3
import zipfile
from contextlib import closing

import nbformat
import pytest
import torch
import toys
from faults import many

from course_utils import checkpoint, datasets, recorded
from course_utils.data.archive import Archive
from lessonkit.desk import companions
from lessonkit.desk.copies import bring, reset
from lessonkit.desk.folder import Desk
from lessonkit.notebook.catalog import find
from lessonkit.notebook.outputs import store
from lessonkit.progress import lab_layout, record, start_page
from lessonkit.reporting import membership
from lessonkit.runner import report as runner_report
from lessonkit.runner import worker
from lessonkit.runner.result import ChapterResult
from lessonkit.system.atomic import TEMPORARY, atomic_write
from lessonkit.teach.bundle.build import TOP, publish
from lessonkit.teach.classroom import state_file
from lessonkit.teach.classroom.report_parser import Report
from lessonkit.teach.classroom.state import ClassroomState
from lessonkit.teach.room import collect, gradebook, release
from lessonkit.teach.room.rows import Graded, Row

pytest.importorskip("fcntl", reason="the steps of a save are recorded as POSIX has them")
import power

MOST = many(4, 80)  # disks at each step of a save, by each rule


@pytest.fixture
def folder(tmp_path):
    """The folder whose disk loses its power; its name holds a space and an accent."""
    made = tmp_path / "le disque"
    made.mkdir()
    return made


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    """What is asked of the disk is recorded, and need not be done: a busy one takes its time."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def replay(row, folder, save, look, *, most=MOST):
    """Record `save(folder, mark)`, and count for each disk whether `look(folder, marks)` finds what it must."""
    with power.recorded(folder) as recording:
        save(folder, recording.mark)
    for disk in power.disks(recording, most=most):
        disk.write(folder)
        with row.case(disk.how):
            try:
                look(folder, disk.marks)
            except AssertionError:
                raise
            except Exception as error:
                raise AssertionError(f"{type(error).__name__}: {error}") from error


def unfinished(folder):
    return [path.name for path in folder.rglob("*") if TEMPORARY.search(path.name) or path.suffix == ".part"]


def content(path):
    return path.read_bytes() if path.exists() else None


# -- the replay itself


def write_twice(save, folder):
    (folder / "a").write_bytes(b"old" * 4000)
    with power.recorded(folder) as recording:
        save(folder / "a", b"new" * 5000)
        recording.mark("saved")
    return recording


def in_place(path, data):
    path.write_bytes(data)
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def without_fsync(path, data):
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.replace(path)


def name_before_bytes(path, data):
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        part.replace(path)
        os.fsync(file.fileno())


def forgets_the_folder(path, data):
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def removes_first(path, data):
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    path.unlink()
    part.replace(path)


def as_the_course_does(path, data):
    with atomic_write(path) as file:
        file.write(data)


@pytest.mark.parametrize(
    ("save", "found"),
    [
        (in_place, {"in order", "a journal", "POSIX"}),
        (without_fsync, {"a journal", "POSIX"}),
        (name_before_bytes, {"a journal", "POSIX"}),
        (removes_first, {"in order", "a journal", "POSIX"}),
        (forgets_the_folder, {"a journal", "POSIX"}),
        (as_the_course_does, set()),
    ],
)
def test_the_replay_finds_a_writer_that_loses_something(folder, save, found):
    recording = write_twice(save, folder)
    losing = set()
    for rule in power.RULES:
        for disk in power.disks(recording, rules=(rule,)):
            allowed = [b"new" * 5000] if "saved" in disk.marks else [b"new" * 5000, b"old" * 4000]
            if disk.files.get("a") not in allowed:
                losing.add(rule)
    assert losing == found


def test_a_write_that_the_recorder_does_not_see_is_no_record(folder):
    with (
        pytest.raises(AssertionError, match="a way that this recorder does not see"),
        power.recorded(folder),
    ):
        os.system(f'echo hidden >"{folder}/a"')


def test_a_folder_that_is_lost_takes_along_what_is_in_it(folder):
    with power.recorded(folder) as recording:
        (folder / "new").mkdir()
        with atomic_write(folder / "new" / "a") as file:
            file.write(b"whole")
    lost = [disk for disk in power.disks(recording) if not disk.folders]
    assert lost and not any(disk.files for disk in lost)


# -- the course's saves


@pytest.mark.parametrize("old", [None, b"old" * 7000])
def test_one_file(fault, folder, old):
    new = bytes(range(256)) * 150

    def save(folder, mark):
        with atomic_write(folder / "a.bin") as file:
            for start in range(0, len(new), 9000):
                file.write(new[start : start + 9000])
            file.seek(0)
            file.write(new[:10])
        mark("saved")

    def look(folder, marks):
        assert content(folder / "a.bin") in ([new] if marks else [old, new])
        save(folder, lambda _: None)
        assert [path.name for path in folder.iterdir()] == ["a.bin"] and content(folder / "a.bin") == new

    if old:
        (folder / "a.bin").write_bytes(old)
    with fault(f"power cut: one file, {'replaced' if old else 'new'}", goal=100) as row:
        replay(row, folder, save, look)


def model_of(epoch):
    model = torch.nn.Linear(2, 2)
    torch.nn.init.constant_(model.weight, float(epoch))
    return model.requires_grad_(False)


def test_checkpoints(fault, folder):
    """Three epochs into a folder that is made for them, the last two kept, and one saved over."""

    def save(folder, mark):
        runs = folder / "runs" / "first"
        for epoch in (1, 2, 3):
            checkpoint.save_checkpoint(runs / f"{epoch}.pt", model=model_of(epoch), epoch=epoch)
            mark(epoch)
        checkpoint.keep(runs, last=2)
        checkpoint.save_checkpoint(runs / "3.pt", model=model_of(4), epoch=4)
        mark(4)

    def look(folder, marks):
        runs = folder / "runs" / "first"
        rows = checkpoint.list_checkpoints(runs) if runs.exists() else []
        assert [one["problem"] for one in rows if one["problem"]] == []
        for one in rows:
            model = model_of(0)
            checkpoint.load_checkpoint(one["path"], model=model, rng=False)
            assert float(model.weight[0, 0]) == one["epoch"]
        assert max([one["epoch"] for one in rows], default=0) >= max(marks, default=0)
        checkpoint.save_checkpoint(runs / "5.pt", model=model_of(5), epoch=5)
        assert unfinished(folder) == [] and checkpoint.list_checkpoints(runs)[-1]["epoch"] == 5

    with fault("power cut: checkpoints", goal=500) as row:
        replay(row, folder, save, look, most=many(2, 80))


def test_recorded_results(fault, folder):
    def write(figure, folder):
        recorded.write("long", what="A run.", figures={"loss": [figure] * 3000}, folder=folder / "recorded")

    def save(folder, mark):
        for figure in (1, 2):
            write(figure, folder)
            mark(figure)

    def look(folder, marks):
        found = recorded.read("long", folder=folder / "recorded")
        assert (found["figures"]["loss"][0] if found else 0) in range(max(marks, default=0), 3)
        write(3, folder)
        assert unfinished(folder) == []

    with fault("power cut: recorded results", goal=40) as row:
        replay(row, folder, save, look)


SETTINGS = {"answers": "untouched", "extent": "whole", "profile": "quick", "device": "cpu"}


def test_the_report_of_a_run(fault, folder, tmp_path):
    chapters = find(toys.write(tmp_path / "notebooks", _00_a=toys.notebook(toys.code("1")), _01_b=toys.notebook()))
    for chapter in chapters:
        os.utime(chapter.path, (1, 1))

    def report(folder):
        return runner_report.Report(folder / "run", chapters, **SETTINGS, machine={"cores": 2})

    def save(folder, mark):
        made = report(folder)
        made.save()
        mark(0)
        for count, chapter in enumerate(chapters, start=1):
            made.add(ChapterResult(name=chapter.name, status="passed", error=None))
            mark(count)

    def look(folder, marks):
        page = content(folder / "run" / "report.html")
        assert page is None or page.rstrip().endswith(b"</html>")
        if marks or (folder / "run" / runner_report.NAME).exists():
            found = runner_report.earlier(folder / "run", **SETTINGS)
            passed = [result.passed for result in found["chapters"]]
            assert len(passed) == 2 and sum(passed) >= max(marks, default=0)
            report(folder).keep_passed(found, {}, asked={"00_a", "01_b"})
        report(folder).save()
        assert unfinished(folder) == []

    with fault("power cut: report of a run", goal=100) as row:
        replay(row, folder, save, look)


def test_a_notebook_that_was_executed(fault, folder, tmp_path):
    """What the report calls passed is kept whole; what was written between its cells may go, and is run again."""
    chapters = toys.write(tmp_path / "notebooks", _00_a=toys.notebook(toys.code("1")))
    job = {"notebook": str(chapters / "00_a.ipynb"), "output": str(folder / "00_a.ipynb"), "name": "00_a"}

    def save(folder, mark):
        run = worker.Run(job, events=io.StringIO())
        run.save()
        run.nb.cells[0].source = "2"
        run.save(durable=True)
        mark("passed")

    def look(folder, marks):
        if marks:
            assert nbformat.read(folder / "00_a.ipynb", as_version=4).cells[0].source == "2"
        save(folder, lambda _: None)
        assert unfinished(folder) == []

    with fault("power cut: executed notebook", goal=300) as row:
        replay(row, folder, save, look)


def test_outputs_stored_in_a_chapter(fault, folder, tmp_path):
    toys.write(folder, _00_a=toys.notebook(*[toys.code(f"print({number})") for number in range(200)]))
    (chapter,) = find(folder)
    executed = tmp_path / "executed.ipynb"
    executed.write_bytes(chapter.path.read_bytes())
    before = chapter.path.read_bytes()
    store(chapter, executed)
    after = chapter.path.read_bytes()
    chapter.path.write_bytes(before)
    assert before != after

    def save(folder, mark):
        store(chapter, executed)
        mark("stored")

    def look(folder, marks):
        assert content(chapter.path) in ([after] if marks else [before, after])
        store(chapter, executed)
        assert unfinished(folder) == [] and content(chapter.path) == after

    with fault("power cut: outputs stored in a chapter", goal=20) as row:
        replay(row, folder, save, look)


def graded(learner):
    rows = tuple(Row(exercise=f"task {number}", state="passed", message="Right. " * 40) for number in range(12))
    return Graded(learner=learner, file=f"{learner}/00_a.ipynb", sha256="0" * 64, chapter="00_a", rows=rows)


class Apart:
    name, promises = "none", "nothing"


def test_grades(fault, folder, monkeypatch):
    monkeypatch.setattr(gradebook, "judged_by", lambda _: "the same course")  # read anew for each disk otherwise

    def opened(folder):
        return gradebook.opened(folder / "grades", isolation=Apart, limits={}, chapters=(), anew=False)

    def save(folder, mark):
        book = opened(folder)
        for count, learner in enumerate(("ana", "bob", "carol"), start=1):
            book.add(graded(learner))
            mark(count)

    def look(folder, marks):
        book = opened(folder)  # refuses what is no result of a grading
        assert len(book.graded) >= max(marks, default=0)
        table, page = (content(folder / "grades" / name) for name in ("grades.csv", "grades.html"))
        assert table is None or (table.startswith(b"learner,") and table.count(b"\n") in (13, 25, 37))
        assert page is None or page.rstrip().endswith(b"</html>")
        book.add(graded("dora"))
        assert unfinished(folder) == [] and "dora/00_a.ipynb" in opened(folder).graded

    with fault("power cut: grades", goal=150) as row:
        replay(row, folder, save, look)


def test_the_classroom_that_is_kept(fault, folder):
    def room(learners):
        made = ClassroomState([])
        for number in range(learners):
            made.take(Report(learner=f"{number:032x}", nickname="Zoë", events=()))
        return made

    def save(folder, mark):
        for learners in (1, 60):
            state_file.save(folder / "salle.json", room(learners), token="abcd-efgh", port=4711)
            mark(learners)

    def look(folder, marks):
        found = ClassroomState([])
        address = state_file.load(folder / "salle.json", found)
        assert len(found.learners) in ([60] if 60 in marks else [1, 60] if marks else [0, 1, 60])
        assert address == (("abcd-efgh", 4711) if found.learners else None)
        save(folder, lambda _: None)
        assert unfinished(folder) == []

    with fault("power cut: a kept classroom", goal=40) as row:
        replay(row, folder, save, look)


def test_what_a_learner_agreed_to(fault, folder):
    address = "http://192.168.1.5:8765/join/abcd-efgh-jkmn-pqrs"
    first = membership.member(address, "Zoë", folder=folder)
    second = membership.member(address, "Ada", folder=folder, before=first)

    def save(folder, mark):
        for one in (first, second):
            membership.keep(folder / "work", one)
            mark(one.nickname)

    def look(folder, marks):
        allowed = [None, first, second][len(marks) :]
        assert membership.read(folder / "work") in allowed
        save(folder, lambda _: None)
        assert unfinished(folder) == []

    with fault("power cut: what a learner agreed to", goal=40) as row:
        replay(row, folder, save, look)


@pytest.fixture
def desk(folder, tmp_path, monkeypatch):
    """Two chapters and a page; the work folder is on the disk that loses its power."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    stub = "def double(x):\n    ...  # your code here\n\n\nex.double.check(double)"
    originals = toys.write(
        tmp_path / "notebooks",
        _00_start=toys.notebook(toys.code("1 + 1", id="c0")),
        _05_training=toys.notebook(toys.code("x = 1"), toys.code(stub, "exercise"), toys.code("print(x)")),
    )
    for path in originals.iterdir():
        named(path)
    (originals / "glossary.md").write_text("Terms. " * 3000, encoding="utf-8")
    return Desk(folder / "work", originals)


def named(path, **sources):
    """Give the cells of a notebook the names c0, c1, …, and the sources of those that are named."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = f"c{number}"
        cell["source"] = sources.get(cell["id"], cell["source"])
    path.write_text(json.dumps(notebook), encoding="utf-8")


ANSWER = "def double(x):\n    return 2 * x\n\n\nex.double.check(double)"


def texts(desk):
    """All texts in the copies, old ones too."""
    paths = [*desk.work.glob("*.ipynb"), *desk.work.glob("old/*.ipynb")]
    return "".join("".join(cell["source"]) for path in paths for cell in json.loads(path.read_bytes())["cells"])


def up_to_date(desk, outcome):
    assert outcome.troubles == []
    for name in ("00_start", "05_training"):
        mine, course = (
            json.loads(path.read_bytes()) for path in (desk.copy(name), desk.originals / f"{name}.ipynb")
        )
        assert [cell["id"] for cell in mine["cells"]] == [cell["id"] for cell in course["cells"]]
    assert content(desk.work / "glossary.md") == content(desk.originals / "glossary.md")
    assert unfinished(desk.work) == []


def test_copies_that_are_made(fault, desk, folder):
    def save(folder, mark):
        assert bring(desk).troubles == []
        mark("made")

    def look(folder, marks):
        if marks:
            assert {path.name for path in desk.work.iterdir()} >= {"00_start.ipynb", "05_training.ipynb"}
        up_to_date(desk, bring(desk))

    with fault("power cut: copies made", goal=70) as row:
        replay(row, folder, save, look, most=many(2, 40))


def test_copies_that_are_updated(fault, desk, folder):
    bring(desk)
    named(desk.copy("05_training"), c1=ANSWER)
    named(desk.originals / "05_training.ipynb", c2="print(x + 1)")
    (desk.originals / "glossary.md").write_text("New terms. " * 3000, encoding="utf-8")
    before = desk.copy("05_training").read_bytes()

    def save(folder, mark):
        assert bring(desk).troubles == []
        mark("updated")

    def look(folder, marks):
        there = [content(path) for path in (desk.copy("05_training"), *desk.work.glob("old/*.ipynb"))]
        assert before in there and "return 2 * x" in json.dumps(texts(desk))
        outcome = bring(desk)
        up_to_date(desk, outcome)
        if marks:
            assert outcome.said == []
        assert "return 2 * x" in desk.copy("05_training").read_text(encoding="utf-8")
        assert "print(x + 1)" in desk.copy("05_training").read_text(encoding="utf-8")

    with fault("power cut: copies updated", goal=90) as row:
        replay(row, folder, save, look, most=many(2, 80))


def test_a_copy_that_is_begun_anew(fault, desk, folder):
    bring(desk)
    named(desk.copy("05_training"), c1=ANSWER)
    before = desk.copy("05_training").read_bytes()
    [chapter] = [one for one in find(desk.originals) if one.number == 5]

    def save(folder, mark):
        assert reset(desk, [chapter]).troubles == []
        mark("anew")

    def look(folder, marks):
        there = [content(path) for path in (desk.copy("05_training"), *desk.work.glob("old/*.ipynb"))]
        assert before in there
        assert reset(desk, [chapter]).troubles == []
        up_to_date(desk, bring(desk))

    with fault("power cut: a copy begun anew", goal=30) as row:
        replay(row, folder, save, look, most=many(2, 60))


def test_scripts_beside_the_copies(fault, folder, tmp_path, monkeypatch):
    (tmp_path / "course" / "scripts").mkdir(parents=True)
    for name in ("a.py", "b.py"):
        (tmp_path / "course" / "scripts" / name).write_text(f"# {name}\n" * 3000, encoding="utf-8")
    monkeypatch.setattr(companions, "PROJECT", tmp_path / "course")

    def save(folder, mark):
        companions.bring_scripts(folder / "scripts")
        mark("brought")

    def look(folder, marks):
        companions.bring_scripts(folder / "scripts")
        for name in ("a.py", "b.py"):
            brought = tmp_path / "course" / "scripts" / name
            assert content(folder / "scripts" / name) == brought.read_bytes()
        assert unfinished(folder) == []

    with fault("power cut: scripts brought", goal=40) as row:
        replay(row, folder, save, look)


def test_the_layout_of_jupyterlab(fault, folder):
    def save(folder, mark):
        lab_layout.arrange(folder / "layout", page="START.md", chapter="00_start_here.ipynb")
        mark("written")

    def look(folder, marks):
        path = lab_layout.arrange(folder / "layout", page="START.md", chapter="00_start_here.ipynb")
        assert json.loads(path.read_text(encoding="utf-8"))["metadata"]["id"] == "default"
        assert unfinished(folder) == []

    with fault("power cut: JupyterLab's layout", goal=15) as row:
        replay(row, folder, save, look)


def test_the_start_page(fault, folder):
    """It says again what the record says: whatever is left of it, the next check or `course lab` makes it right."""
    standing = record.Standing("training", "measure", True, "passed", None, 1, 0, False, 0.5, "2027-03-01T00:00:00")
    start_page.write(folder, [standing])
    right = content(folder / start_page.NAME)

    def save(folder, mark):
        start_page._replace(folder / start_page.NAME, "Another page.\n" * 900, 0.0)

    def look(folder, marks):
        for page in (right.decode(), "The next check's.\n", right.decode()):
            start_page._replace(folder / start_page.NAME, page, 0.0)
        assert content(folder / start_page.NAME) == right and unfinished(folder) == []

    with fault("power cut: start page", goal=15) as row:
        replay(row, folder, save, look)


def test_an_archive_that_is_unpacked(fault, folder, tmp_path):
    packed = {f"ants/{number}.jpg": bytes([number]) * (3000 + 4000 * number) for number in range(3)}
    path = folder / "set" / "photos.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as made:
        for name, data in packed.items():
            made.writestr(f"inside/{name}", data)
    archive = Archive("photos.zip", "inside/", path.stat().st_size)
    downloaded = path.read_bytes()

    def save(folder, mark):
        archive.settle(folder / "set")
        mark("settled")

    def look(folder, marks):
        found = {
            one.relative_to(folder / "set").as_posix(): content(one) for one in (folder / "set").rglob("*.jpg")
        }
        assert found.items() <= packed.items()
        if marks:
            assert len(found) == 3
        if len(found) < 3:  # as the next download does
            with atomic_write(path) as file:
                file.write(downloaded)
            archive.settle(folder / "set")
        assert {one: content(folder / "set" / one) for one in packed} == packed
        assert unfinished(folder) == []

    with fault("power cut: an archive unpacked", goal=600) as row:
        replay(row, folder, save, look)


def test_a_data_set_that_is_laid_out(fault, folder, monkeypatch):
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    monkeypatch.delenv("COURSE_DATA", raising=False)
    new = folder / "new"
    datasets.unpack("mnist", new)
    whole = {path.relative_to(new): path.read_bytes() for path in new.rglob("*") if path.is_file()}
    shutil.rmtree(new)

    def save(folder, mark):
        datasets.unpack("mnist", new)
        mark("laid out")

    def look(folder, marks):
        found = {path.relative_to(new): path.read_bytes() for path in new.rglob("*") if path.is_file()}
        found = {name: data for name, data in found.items() if not TEMPORARY.search(name.name)}
        assert found.items() <= whole.items()
        assert len(found) == 4 or not marks

    with fault("power cut: a data set laid out", goal=40) as row:
        replay(row, folder, save, look, most=many(2, 40))


def test_what_a_room_handed_in(fault, folder, tmp_path):
    for learner in ("ana", "bob"):
        toys.write(tmp_path / "in" / learner, _00_start_here=toys.notebook(toys.code(f"# {learner}\n" * 2000)))
    handed = {path.parent.name: path.read_bytes() for path in (tmp_path / "in").rglob("*.ipynb")}

    def save(folder, mark):
        done = collect.collect(tmp_path / "in", folder / "got", find())
        assert done.refused == []
        mark("collected")

    def look(folder, marks):
        found = {path.parent.name: path.read_bytes() for path in folder.rglob("*.ipynb")}
        assert found.items() <= handed.items() and (len(found) == 2 or not marks)
        save(folder, lambda _: None)
        assert {path.parent.name: path.read_bytes() for path in folder.rglob("*.ipynb")} == handed
        assert unfinished(folder) == []

    with fault("power cut: what a room handed in", goal=40) as row:
        replay(row, folder, save, look)


def test_notebooks_for_a_room(fault, folder, tmp_path):
    """Released a second time, after the course has changed: whatever the cut left, the same command goes on."""
    originals = toys.write(tmp_path / "notebooks", _00_a=toys.notebook(toys.code("1")), _01_b=toys.notebook())
    release.release(find(originals), folder / "room", core=False)
    for path in originals.iterdir():
        named(path, c0="2")

    def save(folder, mark):
        release.release(find(originals), folder / "room", core=False)
        mark("released")

    def look(folder, marks):
        for name in ("00_a", "01_b"):
            assert json.loads(content(folder / "room" / f"{name}.ipynb"))["cells"] is not None
        save(folder, lambda _: None)
        manifest = json.loads(content(folder / "room" / release.MANIFEST))
        for name, said in manifest["notebooks"].items():
            assert said["sha256"] == release.digest(content(folder / "room" / name))
        assert unfinished(folder) == []

    with fault("power cut: notebooks for a room", goal=50) as row:
        replay(row, folder, save, look)


@pytest.mark.parametrize("kind", ["Zip", "Folder"])
def test_a_bundle(fault, folder, tmp_path, kind):
    texts = {name: (name * 2000).encode() for name in ("README.md", "wheel.whl", "manifest.json")}
    to = "room.zip" if kind == "Zip" else "room"

    def make(folder, mark):
        made = folder / "room.parts" / TOP
        made.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (made / name).write_bytes(text)
        publish(made, folder / to)
        mark("made")

    def look(folder, marks):
        there = (folder / to).exists()
        if there and kind == "Zip":
            with zipfile.ZipFile(folder / to) as archive:
                found = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
        elif there:
            found = {path.name: content(path) for path in (folder / to).iterdir()}
        assert not there or found == texts
        assert there or not marks
        if not there:
            make(folder, lambda _: None)
            assert unfinished(folder) == []

    with fault(f"power cut: a bundle, {kind.lower()}", goal=300) as row:
        replay(row, folder, make, look)


# -- SQLite keeps its own promise, by these settings


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_sqlite_is_asked_for_what_keeps_the_file_whole(tmp_path, monkeypatch, mode):
    """With a log, NORMAL costs the last notes at worst; with a rollback journal only FULL is sure of that."""
    from lessonkit.progress import database

    monkeypatch.setattr(database, "_shares_memory", lambda _: mode == "wal")
    path = tmp_path / record.FILE
    asked = []

    class Watched(sqlite3.Connection):
        def execute(self, statement, *values):
            if statement == "BEGIN IMMEDIATE":
                [(synchronous,)] = super().execute("PRAGMA synchronous").fetchall()
                [(journal,)] = super().execute("PRAGMA journal_mode").fetchall()
                asked.append((journal, synchronous))
            return super().execute(statement, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(
        database.sqlite3, "connect", lambda *given, **more: connect(*given, factory=Watched, **more)
    )
    for _ in range(2):
        record.note(path, record.Entry("training", "measure", "check", "passed"), warn=lambda _: None)
    assert asked == [(mode, 1 if mode == "wal" else 2)] * 2


def test_notes_are_forgotten_when_their_copy_is_on_the_disk(tmp_path, monkeypatch):
    path = tmp_path / record.FILE
    record.note(path, record.Entry("training", "measure", "check", "passed"), warn=lambda _: None)
    seen = []

    def watched(handle):
        with closing(sqlite3.connect(path)) as connection:
            seen.append(connection.execute("SELECT count(*) FROM notes").fetchone()[0])

    monkeypatch.setattr(os, "fsync", watched)
    copy = record.forget(path)
    assert seen and set(seen) == {1}, "the copy was not on the disk when the notes went"
    assert len(record.read(copy)) == 1 and record.read(path) == []
