"""What the course writes, each writer once: the tests of a full disk and of a power cut let them all write.

A `Writer` prepares what was there before, writes with the course's own function, and says what must be there then.
tests/faults/full_disk_cases.py fills the drive before it, tests/faults/test_power_cut.py cuts its power.
"""

import contextlib
import functools
import gzip
import hashlib
import io
import json
import os
import shutil
import sys
import zipfile
from dataclasses import replace
from types import SimpleNamespace

import nbformat
import torch
import toys
from nbformat.v4 import new_output
from served import Served

from course_utils import PROJECT, checkpoint, datasets, recorded
from course_utils.data import download, idx, registry
from course_utils.data.archive import Archive
from course_utils.data.errors import DataError
from course_utils.data.idx import idx_files
from lessonkit import cli
from lessonkit.commands import lab
from lessonkit.desk import companions
from lessonkit.desk.copies import bring, reset
from lessonkit.desk.folder import Desk
from lessonkit.notebook.catalog import find
from lessonkit.notebook.outputs import store
from lessonkit.progress import lab_layout, record, start_page
from lessonkit.reporting import membership
from lessonkit.runner import report as run_report
from lessonkit.runner import run as whole_run
from lessonkit.runner import scheduler, worker
from lessonkit.runner.result import ChapterResult
from lessonkit.system.atomic import TEMPORARY, atomic_write
from lessonkit.system.errors import Refused
from lessonkit.teach.bundle import build
from lessonkit.teach.bundle.targets import FOLDER, Target
from lessonkit.teach.bundle.wheels import Package
from lessonkit.teach.classroom import server, state_file
from lessonkit.teach.classroom.report_parser import Report as Reported
from lessonkit.teach.classroom.state import ClassroomState
from lessonkit.teach.room import grade, gradebook
from lessonkit.teach.room.rows import Graded as GradedFile
from lessonkit.teach.room.rows import Row


class Said(Exception):
    """What a learner or a teacher reads where something could not be written."""


class Writer:
    """One thing that is written. `drive`: the folder on the disk that fails; `scratch`: a folder elsewhere.

    `prepare` makes what was there before, `write` does it and names by `mark` how far it has come, `check` looks at
    what is there: all of it where `write` is done, else what was marked. `errors` are sentences for people. What a
    writer may replace is named by `replaced`; all else stays to the byte. `disk`: its row among full disks. `cut`:
    its row among power cuts, the cases of a soak, and how many disks are tried at each step, in a short sample and
    in a soak; `anew`: that one begins with an empty folder.
    """

    disk: str = ""
    cut: tuple[str, int, int, int] | None = None
    anew = False
    replaced: tuple[str, ...] = ()
    errors: tuple[type[Exception], ...] = (Refused,)

    def __init__(self, drive, scratch):
        self.drive, self.scratch, self.mark = drive, scratch, lambda word: None

    def prepare(self):
        pass

    def write(self):
        raise NotImplementedError

    def act(self):
        """Write; raises `Said` where the course says in a sentence why it cannot."""
        try:
            self.write()
        except self.errors as error:
            raise Said(error) from error

    def check(self, done, marks=()):
        pass

    def look(self, done, marks):
        """What must hold of what a power cut has left."""
        self.check(done, marks)

    def unchanged(self, before):
        """Of {name: bytes} before, what stays to the byte."""
        return {name: data for name, data in before.items() if name not in self.replaced}

    def unfinished(self):
        """What a writer has left that did not come to its end."""
        return [path for path in self.drive.rglob("*") if TEMPORARY.search(path.name) or path.suffix == ".part"]


def command(*arguments):
    """Give the `course` command here; raises `Said` where it does not end with 0."""
    told, before = io.TextIOWrapper(io.BytesIO(), "utf-8"), sys.argv
    signals = SimpleNamespace(signal=lambda *_: None, default_int_handler=None)
    sys.argv = ["course", *map(str, arguments)]
    try:
        with patched((cli, "signal", signals)), contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
            cli.main()
    except SystemExit as end:
        if end.code:
            told.flush()
            raise Said(told.buffer.getvalue().decode("utf-8")) from None
    finally:
        sys.argv = before


def quietly(function, *arguments, **named):
    """Call it; what it prints is what is said where it raises nothing."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        result = function(*arguments, **named)
    return result, told.getvalue()


@contextlib.contextmanager
def patched(*changes):
    """(object, name, value): set meanwhile."""
    with contextlib.ExitStack() as stack:
        for thing, name, value in changes:
            before = getattr(thing, name)
            setattr(thing, name, value)
            stack.callback(setattr, thing, name, before)
        yield


def content(path):
    return path.read_bytes() if path.exists() else None


class OneFile(Writer):
    """One file by `atomic_write` itself, whose writer goes back to its beginning."""

    cut, old, new = ("one file, new", 100, 4, 80), None, bytes(range(256)) * 150

    def prepare(self):
        if self.old is not None:
            (self.drive / "a.bin").write_bytes(self.old)

    def write(self):
        with atomic_write(self.drive / "a.bin") as file:
            for start in range(0, len(self.new), 9000):
                file.write(self.new[start : start + 9000])
            file.seek(0)
            file.write(self.new[:10])

    def check(self, done, marks=()):
        assert content(self.drive / "a.bin") in ([self.new] if done else [self.old, self.new])


class OneFileReplaced(OneFile):
    """The same over an older one."""

    cut, old = ("one file, replaced", 100, 4, 80), b"old" * 7000


class Checkpoint(Writer):
    """A checkpoint into a folder that has one, and over one."""

    disk = "saving a checkpoint"
    replaced = ("runs/2.pt",)
    errors = (checkpoint.CheckpointError,)

    def prepare(self):
        for epoch in (1, 2):
            self.save(epoch, f"{epoch}.pt")

    def save(self, epoch, name):
        model = torch.nn.Linear(60, 60)
        torch.nn.init.constant_(model.weight, float(epoch))
        checkpoint.save_checkpoint(self.drive / "runs" / name, model=model, epoch=epoch)
        self.mark(epoch)

    def write(self):
        self.save(3, "2.pt")
        self.save(4, "deeper/3.pt")

    def check(self, done, marks=()):
        epochs = self.epochs()
        assert 3 in epochs or not done
        assert (self.drive / "runs" / "deeper" / "3.pt").exists() or not done

    def epochs(self):
        """Those in the folder, each with its own weights."""
        rows = checkpoint.list_checkpoints(self.drive / "runs") if (self.drive / "runs").exists() else []
        for row in rows:
            assert row["problem"] is None, row["problem"]
            model = torch.nn.Linear(60, 60)
            checkpoint.load_checkpoint(row["path"], model=model, rng=False)
            assert float(model.weight[0, 0].detach()) == row["epoch"]
        return [row["epoch"] for row in rows]


class KeptCheckpoints(Checkpoint):
    """Three epochs into a folder that is made for them, the last two kept, and one saved over."""

    cut, anew = ("checkpoints", 500, 2, 60), True

    def write(self):
        for epoch in (1, 2, 3):
            self.save(epoch, f"{epoch}.pt")
        checkpoint.keep(self.drive / "runs", last=2)
        self.save(4, "3.pt")

    def check(self, done, marks=()):
        epochs = self.epochs()
        assert max(epochs, default=0) >= max(marks, default=0)
        assert not done or epochs == [2, 4]


class Record(Writer):
    """A recorded result over an earlier one."""

    disk, cut, anew = "recorded results", ("recorded results", 40, 4, 80), True
    replaced = ("recorded/long.json",)
    errors = (OSError,)

    def save(self, figure):
        recorded.write("long", what="A run.", figures={"loss": [figure] * 5000}, folder=self.drive / "recorded")
        self.mark(figure)

    def prepare(self):
        self.save(1)

    def write(self):
        for figure in (1, 2):
            self.save(figure)

    def check(self, done, marks=()):
        found = recorded.read("long", folder=self.drive / "recorded")
        figures = found["figures"]["loss"] if found else [0] * 5000
        assert len(figures) == 5000 and figures[0] in range(2 if done else max(marks, default=0), 3)


@functools.cache
def idx_set():
    """A data set like MNIST, small, and a server that has it."""
    raw = {one.name: one.header + os.urandom(one.size - len(one.header)) for one in idx_files(train=60, test=20)}
    raw = {name: data[:8] + bytes(len(data) - 8) if "labels" in name else data for name, data in raw.items()}
    server = Served({f"{name}.gz": gzip.compress(data, mtime=0) for name, data in raw.items()})
    files = idx_files(train=60, test=20, md5s=[hashlib.md5(data).hexdigest() for data in raw.values()])
    return replace(registry.find("mnist"), mirrors=(f"{server.url}/",), files=files)


@functools.cache
def photographs():
    """A data set of one archive, small, and a server that has it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(12):
            archive.writestr(f"inside/ants/{number}.jpg", os.urandom(3000 + 1500 * number))
    server = Served({"photos.zip": packed.getvalue()})
    archive = Archive("photos.zip", "inside/", len(packed.getvalue()))
    found = registry.find("hymenoptera")
    return replace(found, mirrors=(f"{server.url}/",), files=(archive,), parts=(("ants", 12),), suffixes=(".jpg",))


class Download(Writer):
    """A data set that comes as four files, beside one that is there."""

    disk = "downloading"
    errors = (DataError,)
    data_set = staticmethod(idx_set)

    def prepare(self):
        (self.drive / "cache" / "other").mkdir(parents=True)
        (self.drive / "cache" / "other" / "a.gz").write_bytes(os.urandom(9000))

    def write(self):
        quietly(download.fetch, self.data_set(), self.drive / "cache")

    def check(self, done, marks=()):
        folder = self.drive / "cache" / self.data_set().folder
        missing = self.data_set().missing(folder)
        assert not (done and missing)
        for file in set(self.data_set().files) - set(missing):
            idx.read(folder / file.packed_name, file, advice="")


class Archived(Download):
    """A data set that comes as one archive, and is unpacked."""

    disk, cut, anew = "downloading an archive", ("an archive unpacked", 600, 2, 16), True
    data_set = staticmethod(photographs)

    def check(self, done, marks=()):
        folder = self.drive / "cache" / self.data_set().folder
        sizes = {f"{number}.jpg": 3000 + 1500 * number for number in range(12)}
        found = {path.name: path.stat().st_size for path in folder.rglob("*.jpg")}
        assert found.items() <= sizes.items() and (len(found) == 12 or not done)


class LaidOut(Writer):
    """The files of a set, laid out for torchvision, over ones that are there."""

    disk, cut = "laying out a data set", ("a data set laid out", 40, 2, 40)
    anew = True
    errors = (OSError,)
    replaced = tuple(f"MNIST/raw/{name}" for name in ("train-images-idx3-ubyte", "t10k-images-idx3-ubyte"))

    def prepare(self):
        for name in self.replaced:
            (self.drive / name).parent.mkdir(parents=True, exist_ok=True)
            (self.drive / name).write_bytes(b"an older one")

    def write(self):
        data_set = idx_set()
        with patched((registry, "find", lambda name: data_set)):
            quietly(datasets.unpack, "mnist", self.drive, cache=self.scratch / "cache")

    def check(self, done, marks=()):
        for file in idx_set().files:
            path = self.drive / "MNIST" / "raw" / file.name
            size = path.stat().st_size if path.exists() else 0
            assert size in ((file.size,) if done else (0, len(b"an older one"), file.size))


class Progress(Writer):
    """A note of a check: the first one, or one of many."""

    disk = "noting the first progress"
    errors = (record.NotKept,)
    begun = 0

    def notes(self, count):
        entry = record.Entry("training", "measure", "check", "wrong", "in_train_mode" * 3, 0.5)
        path = self.drive / record.FILE
        told = []
        for _ in range(count):
            record.note(path, entry, warn=told.append)
            assert not told, told

    def prepare(self):
        self.notes(self.begun)

    def unchanged(self, before):
        return {}  # its bytes are SQLite's own: `check` counts the notes

    def write(self):
        self.notes(60)

    def check(self, done, marks=()):
        found = record.read(self.drive / record.FILE)
        tries = found[0].tries if found else 0
        assert tries >= self.begun + 60 * done, f"{tries} notes of {self.begun} and more"


class MoreProgress(Progress):
    disk = "noting progress"
    begun = 200


class Forgotten(Progress):
    """All notes removed, and a copy of them kept."""

    disk = "forgetting progress"
    begun = 300

    def write(self):
        self.copy = record.forget(self.drive / record.FILE)

    def check(self, done, marks=()):
        kept = self.copy if done else self.drive / record.FILE
        assert record.read(kept)[0].tries == 300
        aside = [path.name for path in (self.drive / record.FILE).parent.glob("*-until-*")]
        assert len(aside) == done, f"{aside} is left"


class StartPage(Writer):
    """The start page, written anew."""

    disk = "start page and layout"
    replaced = ("START.md",)

    def prepare(self):
        (self.drive / "START.md").write_text("An older page.\n" * 900, encoding="utf-8")

    def write(self):
        (self.scratch / "originals").mkdir(exist_ok=True)
        toys.write(self.scratch / "originals", _00_start=toys.notebook())
        desk = Desk(self.drive, self.scratch / "originals")
        arranged, said = quietly(lab.arrange, desk)
        if said or not arranged:
            raise Said(said)

    def check(self, done, marks=()):
        page = (self.drive / "START.md").read_text(encoding="utf-8")
        assert page == "An older page.\n" * 900 or page == start_page.text(
            start_page.summarise([], start_page.contents())
        )
        layouts = list(self.drive.rglob("*.jupyterlab-workspace"))
        for path in layouts:
            json.loads(path.read_text(encoding="utf-8"))
        assert len(layouts) == 1 or not done


class Page(Writer):
    """The start page says again what the record says: whatever is left of it, the next check makes it right."""

    cut = ("start page", 15, 2, 8)

    def prepare(self):
        standing = record.Standing(
            "training", "measure", True, "passed", None, 1, 0, False, 0.5, "2027-03-01T00:00:00"
        )
        start_page.write(self.drive, [standing])

    def write(self):
        for page in ("The next check's.\n", "Another page.\n" * 900):
            start_page._replace(self.drive / start_page.NAME, page, 0.0)

    def look(self, done, marks):
        pass

    def check(self, done, marks=()):
        assert content(self.drive / start_page.NAME) == b"Another page.\n" * 900


class Layout(Writer):
    """JupyterLab's layout, which the next start writes again."""

    cut = ("JupyterLab's layout", 15, 4, 80)

    def write(self):
        self.path = lab_layout.arrange(self.drive / "layout", page="START.md", chapter="00_start_here.ipynb")

    def look(self, done, marks):
        pass

    def check(self, done, marks=()):
        assert json.loads(self.path.read_text(encoding="utf-8"))["metadata"]["id"] == "default"


def chapter_with(text):
    book = toys.notebook(toys.code("x = 1"), toys.code("...", "exercise"), toys.code(f"print({text!r})"))
    for number, cell in enumerate(book.cells):
        cell["id"] = f"c{number}"
    return book


class Copies(Writer):
    """The copies of two chapters and a page, made."""

    disk, cut = "making copies", ("copies made", 70, 2, 40)

    def desk(self):
        return Desk(self.drive / "work", self.scratch / "notebooks")

    def originals(self, text):
        shutil.rmtree(self.scratch / "notebooks", ignore_errors=True)
        toys.write(self.scratch / "notebooks", _00_start=chapter_with(text), _05_training=chapter_with(text))
        (self.scratch / "notebooks" / "glossary.md").write_text(text, encoding="utf-8")

    def prepare(self):
        self.originals("one " * 2000)

    def write(self):
        outcome, _ = quietly(bring, self.desk())
        if outcome.troubles:
            raise Said(" ".join(outcome.troubles))

    def check(self, done, marks=()):
        for path in self.drive.rglob("*.ipynb"):
            assert len(nbformat.read(path, as_version=4).cells) >= 3
        if done:
            for name in ("00_start", "05_training"):
                assert nbformat.read(self.desk().copy(name), as_version=4).cells[2].source == self.printed()
            page = (self.scratch / "notebooks" / "glossary.md").read_bytes()
            assert (self.desk().work / "glossary.md").read_bytes() == page

    def printed(self):
        return nbformat.read(self.scratch / "notebooks" / "05_training.ipynb", as_version=4).cells[2].source


class Updated(Copies):
    """The copies brought up to date, an answer in one of them."""

    disk, cut = "updating copies", ("copies updated", 90, 2, 80)
    replaced = ("work/05_training.ipynb", "work/00_start.ipynb", "work/glossary.md")
    replaced += ("work/.course/base/glossary.md",)

    def prepare(self):
        super().prepare()
        super().write()
        copy = self.desk().copy("05_training")
        copy.write_text(copy.read_text(encoding="utf-8").replace('"..."', '"my answer"'), encoding="utf-8")
        self.before = copy.read_bytes()
        self.originals("two " * 2500)

    def check(self, done, marks=()):
        super().check(done, marks)
        copies = [self.desk().copy("05_training"), *self.desk().work.glob("old/*.ipynb")]
        assert self.before in [path.read_bytes() for path in copies]
        assert b"my answer" in copies[0].read_bytes()


class Anew(Updated):
    """A copy begun anew; the one before it is kept."""

    disk, cut = "", ("a copy begun anew", 30, 2, 60)

    def write(self):
        [chapter] = [one for one in find(self.desk().originals) if one.number == 5]
        outcome = reset(self.desk(), [chapter])
        assert outcome.troubles == []

    def check(self, done, marks=()):
        copies = [self.desk().copy("05_training"), *self.desk().work.glob("old/*.ipynb")]
        assert self.before in map(content, copies)
        if done:
            assert nbformat.read(copies[0], as_version=4).cells[2].source == self.printed()


class Scripts(Writer):
    """The scripts of a course that was installed as a package."""

    disk, cut = "bringing scripts", ("scripts brought", 40, 2, 8)
    errors = (OSError,)

    def write(self):
        companions.bring_scripts(self.drive / "scripts")

    def check(self, done, marks=()):
        for path in (path for path in (PROJECT / "scripts").rglob("*") if path.is_file()):
            to = self.drive / "scripts" / path.relative_to(PROJECT / "scripts")
            assert to.read_bytes() == path.read_bytes() if to.exists() else not done


def executed(number):
    text = f"{number} " * 4000
    return toys.notebook(toys.code("x = 1"), toys.code("y = 2"), toys.code(f"print({text!r})"))


class Run(Writer):
    """`course run` with chapters that print: the notebooks and the report, over those of an earlier run."""

    disk = "course run, whole"
    replaced = ("out/00_a.ipynb", "out/01_b.ipynb", "out/report.json", "out/report.html", "out/run.lock")

    def prepare(self):
        self.write()

    def write(self):
        folder = toys.write(self.scratch / "run", _00_a=executed(1), _01_b=executed(2))
        command("run", "--notebooks", folder, "--out", self.drive / "out", "--jobs", 1)

    def check(self, done, marks=()):
        found = run_report.read(self.drive / "out" / run_report.NAME)
        assert len(found["chapters"]) == 2
        for result in found["chapters"]:
            path = self.drive / "out" / f"{result.name}.ipynb"
            if result.passed:
                printed = nbformat.read(path, as_version=4).cells[2].outputs[0].text
                assert len(printed.strip()) == 7999
            assert result.passed or not done


class Worker(Writer):
    """What the runner's child writes between the cells of one notebook, without a kernel."""

    disk, cut = "saving executed notebooks", ("executed notebook", 300, 2, 16)
    replaced = ("00_a.ipynb",)

    def prepare(self):
        (self.drive / "00_a.ipynb").write_text("an earlier one", encoding="utf-8")

    def write(self):
        class Engine:
            @staticmethod
            def execute_notebook(nb, kernel, *, on_notebook_start, on_cell_execute, on_cell_executed, **_):
                on_notebook_start(notebook="")
                for index, cell in enumerate(nb.cells):
                    on_cell_execute(cell=cell, cell_index=index)
                    cell.execution_count = index + 1
                    cell.outputs = [new_output("stream", name="stdout", text="printed " * 1500)]
                    on_cell_executed(cell=cell, cell_index=index, execute_reply={})

        folder = toys.write(self.scratch / "run", _00_a=executed(1))
        job = {"notebook": str(folder / "00_a.ipynb"), "output": str(self.drive / "00_a.ipynb"), "name": "00_a"}
        job |= {"answers": "untouched", "extent": "whole", "parameters": {}, "limit": 60.0, "goal": None}
        with patched((worker, "NBClientEngine", Engine)):
            result = worker.Run(job, events=io.StringIO()).go()
        if not result.passed:
            raise Said(result.error)

    def look(self, done, marks):
        if done:  # what was written between its cells may go: it is run again
            self.check(done)

    def check(self, done, marks=()):
        text = (self.drive / "00_a.ipynb").read_text(encoding="utf-8")
        assert (text == "an earlier one" and not done) or len(json.loads(text)["cells"]) == 3


class Reports(Writer):
    """`course run` to its end with what it writes of two chapters, and nothing executed."""

    disk, cut = "report of a run", ("report of a run", 100, 3, 80)
    replaced = ("out/report.json", "out/report.html", "out/run.lock")

    def prepare(self):
        self.write()

    def write(self):
        def series(chapters, request, *, report, display, interrupted):
            for count, chapter in enumerate(chapters, start=1):
                report.add(ChapterResult(name=chapter.name, status="passed", error=None, notes=["Long. " * 900]))
                self.mark(count)
            return True

        folder = toys.write(self.scratch / "run", _00_a=executed(1), _01_b=executed(2))
        machine = (whole_run, "described", lambda: {"cores": 2})  # which takes a while
        with patched((scheduler, "run", series), machine):
            command("run", "--notebooks", folder, "--out", self.drive / "out", "--jobs", 1)

    def check(self, done, marks=()):
        found = run_report.read(self.drive / "out" / run_report.NAME)
        assert len(found["chapters"]) == 2
        assert sum(result.passed for result in found["chapters"]) >= max(marks, default=2 * done)
        page = self.drive / "out" / "report.html"
        assert not page.exists() or page.read_bytes().rstrip().endswith(b"</html>")


class Refreshed(Writer):
    """Outputs stored in a chapter."""

    disk, cut = "storing outputs", ("outputs stored in a chapter", 20, 4, 80)
    errors = (OSError,)
    replaced = ("00_a.ipynb",)

    def prepare(self):
        toys.write(self.drive, _00_a=executed(1))
        self.before = (self.drive / "00_a.ipynb").read_bytes()

    def write(self):
        toys.write(self.scratch / "executed", _00_a=executed(1))
        (chapter,) = find(self.drive)
        store(chapter, self.scratch / "executed" / "00_a.ipynb")

    def check(self, done, marks=()):
        data = (self.drive / "00_a.ipynb").read_bytes()
        assert (data != self.before) if done else json.loads(data)["cells"]


class Graded(Writer):
    """`course grade` to its end with what it writes of three submissions, and nothing judged."""

    disk, cut = "grading", ("grades", 150, 3, 80)
    replaced = ("out/grades.json", "out/grades.csv", "out/grades.html", "out/grade.lock")

    def prepare(self):
        for learner in ("ana", "bob", "carol"):
            toys.write(self.scratch / "in" / learner, _00_start_here=toys.notebook())
        self.act()

    def write(self):
        def run(series, places):
            for count, place in enumerate(places, start=1):
                rows = tuple(Row(exercise=f"e{n}", state="passed", message="Right. " * 60) for n in range(9))
                given = {"learner": place.learner, "file": place.path.as_posix(), "chapter": "00_start_here"}
                series.book.add(GradedFile(**given, sha256="0" * 64, rows=rows))
                self.mark(count)

        series = type(
            "Series", (), {"__init__": lambda self, folder, book, *_: setattr(self, "book", book), "run": run}
        )
        # What judges is read anew for each try otherwise.
        with patched((grade, "GradingQueue", series), (gradebook, "judged_by", lambda _: "the same course")):
            command("grade", self.scratch / "in", "--out", self.drive / "out", "--unconfined")

    def check(self, done, marks=()):
        found = json.loads((self.drive / "out" / "grades.json").read_text(encoding="utf-8"))
        assert len(found["submissions"]) >= max(marks, default=3 * done)
        assert (self.drive / "out" / "grades.html").read_text(encoding="utf-8").rstrip().endswith("</html>")


class Collected(Writer):
    """What a room handed in, gathered into a folder that has some of it."""

    disk, cut = "collecting", ("what a room handed in", 40, 4, 80)

    def prepare(self):
        shutil.rmtree(self.scratch / "handed", ignore_errors=True)
        self.room("ana")
        self.write()
        self.room("bob", "carol")

    def room(self, *learners):
        for learner in learners:
            toys.write(self.scratch / "handed" / learner, _00_start_here=executed(learner))

    def write(self):
        command("collect", self.scratch / "handed", "--to", self.drive / "got")

    def check(self, done, marks=()):
        handed = {path.parent.name: path.read_bytes() for path in (self.scratch / "handed").rglob("*.ipynb")}
        found = {path.parent.name: path.read_bytes() for path in (self.drive / "got").rglob("*.ipynb")}
        assert found.items() <= handed.items() and (found == handed or not done)


class Released(Writer):
    """Notebooks for a room, released a second time."""

    disk, cut = "notebooks for a room", ("notebooks for a room", 50, 4, 80)
    replaced = ("room/00_a.ipynb", "room/01_b.ipynb", "room/manifest.json")

    def prepare(self):
        toys.write(self.scratch / "release", _00_a=executed(1), _01_b=executed(2))
        self.write()
        toys.write(self.scratch / "release", _00_a=executed(3), _01_b=executed(4))

    def write(self):
        command("release", "--to", self.drive / "room", "--notebooks", self.scratch / "release")

    def check(self, done, marks=()):
        manifest = json.loads((self.drive / "room" / "manifest.json").read_text(encoding="utf-8"))
        for name, said in manifest["notebooks"].items():
            data = (self.drive / "room" / name).read_bytes()
            assert len(json.loads(data)["cells"]) == 3
            assert hashlib.sha256(data).hexdigest() == said["sha256"] or not done


class Classroom(Writer):
    """The room that `course classroom --keep` writes now and then."""

    disk, cut, anew = "keeping a classroom", ("a kept classroom", 40, 4, 80), True
    replaced = ("room.json",)

    def save(self, learners):
        room, told = ClassroomState([]), []
        for number in range(learners):
            room.take(Reported(learner=f"{number:032x}", nickname="Zoë", events=()))
        tokens = SimpleNamespace(learners="abcd-efgh")
        opened = SimpleNamespace(keep=self.drive / "room.json", room=room, tokens=tokens, port=4711)
        server._keep(opened, told.append)
        if told:
            raise Said(" ".join(told))
        self.mark(learners)

    def prepare(self):
        self.save(1)

    def write(self):
        for learners in (1, 80):
            self.save(learners)

    def check(self, done, marks=()):
        room = ClassroomState([])
        address = state_file.load(self.drive / "room.json", room)
        assert len(room.learners) in ([80] if done or 80 in marks else [1, 80] if marks else [0, 1, 80])
        assert address == (("abcd-efgh", 4711) if room.learners else None)


class Joined(Writer):
    """What a learner agreed to, in the work folder."""

    disk, cut = "joining a classroom", ("what a learner agreed to", 40, 4, 80)

    def prepare(self):
        address = "http://192.168.1.5:8765/join/abcd-efgh-jkmn-pqrs"
        first = membership.member(address, "Zoë", folder=self.drive)
        self.said = [None, first, membership.member(address, "Ada", folder=self.drive, before=first)]

    def write(self):
        for one in self.said[1:]:
            membership.keep(self.drive / "work", one)
            self.mark(one.nickname)

    def check(self, done, marks=()):
        assert membership.read(self.drive / "work") in self.said[2 if done else len(marks) :]


class Bundle(Writer):
    """A bundle of two wheels and two files, one file; what has come stays, and is not fetched again."""

    disk = "making a bundle"
    to = "room.zip"
    asks = False  # whether there is room for it, before it begins: another program may take it meanwhile

    def write(self):
        sys.path[:0] = [str(PROJECT / "tests" / "lessonkit" / "teach" / "bundle")]
        import conftest as small

        paths = [self.scratch / f"{name}-1.0-py3-none-any.whl" for name in ("alpha", "beta")]
        for number, path in enumerate(paths, start=1):
            if not path.exists():
                name = path.name.partition("-")[0]
                small.wheel(self.scratch, name, "1.0", files={f"{name}/data": os.urandom(20_000 * number)})
        packages = [
            Package(path.name.partition("-")[0], "1.0", path.name, hashlib.sha256(data).hexdigest(), len(data))
            for path, data in ((path, path.read_bytes()) for path in paths)
        ]
        course = {f"course/{name}": PROJECT / name for name in ("README.md", "LICENSE")}
        os.environ |= {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": self.scratch.as_uri()}
        one = build.Plan(
            self.drive / self.to, "default", ("00_a",), {Target("linux", "3.11"): packages}, course, []
        )
        with patched(*([] if self.asks else [(build.Plan, "check_disk", lambda _: None)])):
            quietly(build.build, one)

    def unfinished(self):
        return []  # its parts are kept beside it, and it goes on with them

    def check(self, done, marks=()):
        assert (self.drive / self.to).exists() == done
        if done and self.to.endswith(".zip"):
            with zipfile.ZipFile(self.drive / self.to) as archive:
                assert archive.testzip() is None
        elif done:
            manifest = json.loads((self.drive / self.to / "manifest.json").read_text(encoding="utf-8"))
            for name, said in manifest["files"].items():
                data = (self.drive / self.to / name).read_bytes()
                assert (len(data), hashlib.sha256(data).hexdigest()) == (said["size"], said["sha256"])
        names = [path.name for path in self.drive.iterdir() if not path.name.startswith("filler")]
        assert names == [self.to] or not done


class FolderBundle(Bundle):
    """The same as a folder, for a stick."""

    to = "room"


class AskingBundle(Bundle):
    """The same, where room is asked for before anything is written."""

    asks = True


class Published(Writer):
    """The bundle that is ready beside its place takes that place, as one file."""

    cut, to = ("a bundle, zip", 300, 4, 80), "room.zip"

    def prepare(self):
        self.texts = {name: (name * 2000).encode() for name in ("README.md", "wheel.whl", "manifest.json")}

    def write(self):
        self.there = (self.drive / self.to).exists()
        if self.there:
            return
        made = self.drive / "room.parts" / FOLDER
        made.mkdir(parents=True, exist_ok=True)
        for name, text in self.texts.items():
            (made / name).write_bytes(text)
        build.publish(made, self.drive / self.to)

    def found(self):
        with zipfile.ZipFile(self.drive / self.to) as archive:
            return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}

    def unfinished(self):
        return [] if self.there else super().unfinished()  # a bundle that was there is let alone

    def check(self, done, marks=()):
        if done or (self.drive / self.to).exists():
            assert self.found() == self.texts


class PublishedFolder(Published):
    """The same as a folder."""

    cut, to = ("a bundle, folder", 300, 4, 80), "room"

    def found(self):
        return {path.name: content(path) for path in (self.drive / self.to).iterdir()}


class Slides(Writer):
    """`course slides` over earlier ones."""

    disk = "slides"
    replaced = ("01.html",)

    def prepare(self):
        (self.drive / "01.html").write_text("<html>older</html>", encoding="utf-8")

    def write(self):
        command("slides", "01", "--out", self.drive / "01.html")

    def check(self, done, marks=()):
        text = (self.drive / "01.html").read_text(encoding="utf-8")
        assert text.rstrip().endswith("</html>") and (len(text) > 50_000 or not done)


# The names of those that are tried on a full disk, in processes of several.
ON_FULL_DISKS = {
    "checkpoint": Checkpoint, "record": Record, "download": Download, "archive": Archived, "laid out": LaidOut,
    "first notes": Progress, "notes": MoreProgress, "forgetting": Forgotten, "start page": StartPage,
    "copies": Copies, "update": Updated, "scripts": Scripts, "worker": Worker, "report": Reports, "run": Run,
    "refresh": Refreshed, "grade": Graded, "collect": Collected, "release": Released, "classroom": Classroom,
    "join": Joined, "bundle": Bundle, "bundle folder": FolderBundle, "bundle asks": AskingBundle, "slides": Slides,
}  # fmt: skip
CUT = [OneFile, OneFileReplaced, KeptCheckpoints, Record, Archived, LaidOut, Page, Layout, Copies, Updated, Anew]
CUT += [
    Scripts,
    Worker,
    Reports,
    Refreshed,
    Graded,
    Collected,
    Released,
    Classroom,
    Joined,
    Published,
    PublishedFolder,
]
