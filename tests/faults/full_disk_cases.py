"""What the course writes, on a small drive that is filled before each try; run in a drive of its own.

    python tests/faults/full_disk_cases.py DRIVE SCRATCH COUNT OPERATION...

Prints lines of JSON: for each operation {"row", "to be tried" (how many amounts of room)}, then for each case in
which the drive was full {"row", "case", "lost" (a sentence or null), "seconds" (the next try, once there is room)}.
COUNT: how many amounts of bytes each operation is tried with, fewer where it needs fewer pages; besides it is tried
with few names. SCRATCH is a folder on another drive.
"""

import contextlib
import functools
import gzip
import hashlib
import http.server
import io
import itertools
import json
import os
import re
import shutil
import sys
import threading
import time
import traceback
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "helpers")]

import toys  # noqa: E402

from lessonkit import cli  # noqa: E402
from lessonkit.notebook.catalog import find  # noqa: E402
from lessonkit.system.atomic import TEMPORARY  # noqa: E402
from lessonkit.system.errors import Refused  # noqa: E402

PAGE = 4096
FULL = re.compile(r"No space left on device|full disk|disk is full|No room is left|free, and this takes", re.I)
WHAT_TO_DO = re.compile(r"make room|make some|free \d+ MB|Delete checkpoints|--resume|free, and this takes", re.I)


class Said(Exception):
    """What a learner or a teacher reads where an operation could not be done."""


class Operation:
    """One thing that is written. `drive`: the small one; `scratch`: a folder elsewhere.

    `prepare` makes what was there before, `act` does it or raises `Said`, `check` looks at what is there, `done`
    telling whether `act` has succeeded. What `act` may replace is named by `replaced`; all else stays to the byte.
    """

    replaced: tuple[str, ...] = ()

    def __init__(self, drive, scratch):
        self.drive, self.scratch = drive, scratch

    def prepare(self):
        pass

    def act(self):
        raise NotImplementedError

    def check(self, *, done):
        pass


def command(*arguments):
    """Give the `course` command here; raises `Said` where it does not end with 0."""
    told, before = io.TextIOWrapper(io.BytesIO(), "utf-8"), sys.argv
    sys.argv = ["course", *map(str, arguments)]
    try:
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
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


class Checkpoint(Operation):
    """A checkpoint into a folder that has one, and over one."""

    replaced = ("runs/2.pt",)

    def prepare(self):
        for epoch in (1, 2):
            self.save(epoch, f"{epoch}.pt")

    def save(self, epoch, name):
        import torch

        from course_utils import checkpoint

        model = torch.nn.Linear(60, 60)
        torch.nn.init.constant_(model.weight, float(epoch))
        try:
            checkpoint.save_checkpoint(self.drive / "runs" / name, model=model, epoch=epoch)
        except checkpoint.CheckpointError as error:
            raise Said(error) from error

    def act(self):
        self.save(3, "2.pt")
        self.save(4, "deeper/3.pt")

    def check(self, *, done):
        import torch

        from course_utils import checkpoint

        for row in checkpoint.list_checkpoints(self.drive / "runs"):
            assert row["problem"] is None, row["problem"]
            model = torch.nn.Linear(60, 60)
            checkpoint.load_checkpoint(row["path"], model=model, rng=False)
            assert float(model.weight[0, 0].detach()) == row["epoch"]
        assert (self.drive / "runs" / "deeper" / "3.pt").exists() or not done


class Record(Operation):
    """A recorded result over an earlier one."""

    replaced = ("recorded/long.json",)

    def prepare(self):
        self.write(1)

    def write(self, figure):
        from course_utils import recorded

        recorded.write("long", what="A run.", figures={"loss": [figure] * 5000}, folder=self.drive / "recorded")

    def act(self):
        try:
            self.write(2)
        except OSError as error:
            raise Said(error) from error

    def check(self, *, done):
        from course_utils import recorded

        found = recorded.read("long", folder=self.drive / "recorded")["figures"]["loss"]
        assert len(found) == 5000 and found[0] in ((2,) if done else (1, 2))


class Server(http.server.ThreadingHTTPServer):
    """Serves `files` by their last name."""

    daemon_threads = True

    def __init__(self, files):
        self.files = files
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/"


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        content = self.server.files[self.path.rpartition("/")[2]]
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            with contextlib.suppress(OSError):  # the other side's disk is full
                self.wfile.write(content)


@functools.cache
def idx_set():
    """A data set like MNIST, small, and a server that has it."""
    from course_utils.data import registry
    from course_utils.data.idx import idx_files

    raw = {one.name: one.header + os.urandom(one.size - len(one.header)) for one in idx_files(train=60, test=20)}
    raw = {name: data[:8] + bytes(len(data) - 8) if "labels" in name else data for name, data in raw.items()}
    server = Server({f"{name}.gz": gzip.compress(data, mtime=0) for name, data in raw.items()})
    files = idx_files(train=60, test=20, md5s=[hashlib.md5(data).hexdigest() for data in raw.values()])
    return replace(registry.find("mnist"), mirrors=(server.url,), files=files)


@functools.cache
def photographs():
    """A data set of one archive, small, and a server that has it."""
    from course_utils.data import registry
    from course_utils.data.archive import Archive

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(12):
            archive.writestr(f"inside/ants/{number}.jpg", os.urandom(3000 + 1500 * number))
    server = Server({"photos.zip": packed.getvalue()})
    archive = Archive("photos.zip", "inside/", len(packed.getvalue()))
    found = registry.find("hymenoptera")
    return replace(found, mirrors=(server.url,), files=(archive,), parts=(("ants", 12),), suffixes=(".jpg",))


class Download(Operation):
    """A data set that comes as four files, beside one that is there."""

    data_set = staticmethod(idx_set)

    def prepare(self):
        (self.drive / "cache" / "other").mkdir(parents=True)
        (self.drive / "cache" / "other" / "a.gz").write_bytes(os.urandom(9000))

    def act(self):
        from course_utils.data import download
        from course_utils.data.errors import DataError

        try:
            quietly(download.fetch, self.data_set(), self.drive / "cache")
        except DataError as error:
            raise Said(error) from error

    def check(self, *, done):
        from course_utils.data import idx

        folder = self.drive / "cache" / self.data_set().folder
        missing = self.data_set().missing(folder)
        assert not (done and missing)
        for file in set(self.data_set().files) - set(missing):
            idx.read(folder / file.packed_name, file, advice="")


class Archived(Download):
    """A data set that comes as one archive, and is unpacked."""

    data_set = staticmethod(photographs)

    def check(self, *, done):
        folder = self.drive / "cache" / self.data_set().folder
        sizes = {f"{number}.jpg": 3000 + 1500 * number for number in range(12)}
        found = {path.name: path.stat().st_size for path in folder.rglob("*.jpg")}
        assert found.items() <= sizes.items() and (len(found) == 12 or not done)
        assert not list(folder.rglob("*.part"))


class LaidOut(Operation):
    """The files of a set, laid out for torchvision, over ones that are there."""

    replaced = tuple(f"MNIST/raw/{name}" for name in ("train-images-idx3-ubyte", "t10k-images-idx3-ubyte"))

    def prepare(self):
        for name in self.replaced:
            (self.drive / name).parent.mkdir(parents=True, exist_ok=True)
            (self.drive / name).write_bytes(b"an older one")

    def act(self):
        from course_utils import datasets

        with patched(registry_of(idx_set())):
            try:
                quietly(datasets.unpack, "mnist", self.drive, cache=self.scratch / "cache")
            except OSError as error:
                raise Said(error) from error

    def check(self, *, done):
        for file in idx_set().files:
            path = self.drive / "MNIST" / "raw" / file.name
            size = path.stat().st_size if path.exists() else 0
            assert size in ((file.size,) if done else (0, len(b"an older one"), file.size))


@contextlib.contextmanager
def patched(*changes):
    """(object, name, value): set meanwhile."""
    with contextlib.ExitStack() as stack:
        for thing, name, value in changes:
            before = getattr(thing, name)
            setattr(thing, name, value)
            stack.callback(setattr, thing, name, before)
        yield


def registry_of(data_set):
    from course_utils.data import registry

    return registry, "find", lambda name: data_set


class Progress(Operation):
    """A note of a check: the first one, or one of many."""

    begun = 0

    def notes(self, count):
        from lessonkit.progress import record

        entry = record.Entry("training", "measure", "check", "wrong", "in_train_mode" * 3, 0.5)
        path = self.drive / record.FILE
        told = []
        for _ in range(count):
            try:
                record.note(path, entry, warn=told.append)
            except record.NotKept as error:
                raise Said(error) from error
            assert not told, told

    def prepare(self):
        self.notes(self.begun)

    def unchanged(self):
        return {}  # its bytes are SQLite's own: `check` counts the notes

    def act(self):
        self.notes(60)

    def check(self, *, done):
        from lessonkit.progress import record

        found = record.read(self.drive / record.FILE)
        tries = found[0].tries if found else 0
        assert tries >= self.begun + 60 * done, f"{tries} notes of {self.begun} and more"


class MoreProgress(Progress):
    begun = 200


class Forgotten(Progress):
    """All notes removed, and a copy of them kept."""

    begun = 300

    def act(self):
        from lessonkit.progress import record

        try:
            self.copy = record.forget(self.drive / record.FILE)
        except record.NotKept as error:
            raise Said(error) from error

    def check(self, *, done):
        from lessonkit.progress import record

        kept = self.copy if done else self.drive / record.FILE
        assert record.read(kept)[0].tries == 300
        aside = [path.name for path in (self.drive / record.FILE).parent.glob("*-until-*")]
        assert len(aside) == done, f"{aside} is left"


class StartPage(Operation):
    """The start page, written anew."""

    replaced = ("START.md",)

    def prepare(self):
        (self.drive / "START.md").write_text("An older page.\n" * 900, encoding="utf-8")

    def act(self):
        from lessonkit.commands import lab
        from lessonkit.desk.folder import Desk

        (self.scratch / "originals").mkdir(exist_ok=True)
        toys.write(self.scratch / "originals", _00_start=toys.notebook())
        desk = Desk(self.drive, self.scratch / "originals")
        arranged, said = quietly(lab.arrange, desk)
        if said or not arranged:
            raise Said(said)

    def check(self, *, done):
        from lessonkit.progress import start_page

        page = (self.drive / "START.md").read_text(encoding="utf-8")
        assert page == "An older page.\n" * 900 or page == start_page.text(
            start_page.summarise([], start_page.contents())
        )
        layouts = list(self.drive.rglob("*.jupyterlab-workspace"))
        for path in layouts:
            json.loads(path.read_text(encoding="utf-8"))
        assert len(layouts) == 1 or not done


def chapter_with(text):
    book = toys.notebook(toys.code("x = 1"), toys.code("...", "exercise"), toys.code(f"print({text!r})"))
    for number, cell in enumerate(book.cells):
        cell["id"] = f"c{number}"
    return book


class Copies(Operation):
    """The copies of two chapters and a page, made."""

    def desk(self):
        from lessonkit.desk.folder import Desk

        return Desk(self.drive / "work", self.scratch / "notebooks")

    def originals(self, text):
        shutil.rmtree(self.scratch / "notebooks", ignore_errors=True)
        toys.write(self.scratch / "notebooks", _00_start=chapter_with(text), _05_training=chapter_with(text))
        (self.scratch / "notebooks" / "glossary.md").write_text(text, encoding="utf-8")

    def prepare(self):
        self.originals("one " * 2000)

    def act(self):
        from lessonkit.desk.copies import bring

        try:
            outcome, _ = quietly(bring, self.desk())
        except Refused as error:
            raise Said(error) from error
        if outcome.troubles:
            raise Said(" ".join(outcome.troubles))

    def check(self, *, done):
        import nbformat

        for path in self.drive.rglob("*.ipynb"):
            assert len(nbformat.read(path, as_version=4).cells) >= 3
        if done:
            for name in ("00_start", "05_training"):
                assert nbformat.read(self.desk().copy(name), as_version=4).cells[2].source == self.printed()
            page = (self.scratch / "notebooks" / "glossary.md").read_bytes()
            assert (self.desk().work / "glossary.md").read_bytes() == page

    def printed(self):
        import nbformat

        return nbformat.read(self.scratch / "notebooks" / "05_training.ipynb", as_version=4).cells[2].source


class Updated(Copies):
    """The copies brought up to date, an answer in one of them."""

    replaced = (
        "work/05_training.ipynb",
        "work/00_start.ipynb",
        "work/glossary.md",
        "work/.course/base/glossary.md",
    )

    def prepare(self):
        super().prepare()
        super().act()
        copy = self.desk().copy("05_training")
        copy.write_text(copy.read_text(encoding="utf-8").replace('"..."', '"my answer"'), encoding="utf-8")
        self.before = copy.read_bytes()
        self.originals("two " * 2500)

    def check(self, *, done):
        super().check(done=done)
        copies = [self.desk().copy("05_training"), *self.desk().work.glob("old/*.ipynb")]
        assert self.before in [path.read_bytes() for path in copies]
        assert b"my answer" in copies[0].read_bytes()


class Scripts(Operation):
    """The scripts of a course that was installed as a package."""

    def act(self):
        from lessonkit.desk import companions

        try:
            companions.bring_scripts(self.drive / "scripts")
        except OSError as error:
            raise Said(error) from error

    def check(self, *, done):
        from course_utils import PROJECT

        for path in (path for path in (PROJECT / "scripts").rglob("*") if path.is_file()):
            to = self.drive / "scripts" / path.relative_to(PROJECT / "scripts")
            assert to.read_bytes() == path.read_bytes() if to.exists() else not done


def executed(number):
    text = f"{number} " * 4000
    return toys.notebook(toys.code("x = 1"), toys.code("y = 2"), toys.code(f"print({text!r})"))


class Run(Operation):
    """`course run` with chapters that print: the notebooks and the report, over those of an earlier run."""

    replaced = ("out/00_a.ipynb", "out/01_b.ipynb", "out/report.json", "out/report.html", "out/run.lock")
    arguments = ()

    def chapters(self):
        folder = self.scratch / "run"
        toys.write(folder, _00_a=executed(1), _01_b=executed(2))
        return folder

    def prepare(self):
        self.act()

    def act(self):
        command("run", "--notebooks", self.chapters(), "--out", self.drive / "out", "--jobs", 1, *self.arguments)

    def check(self, *, done):
        import nbformat

        from lessonkit.runner import report

        found = report.read(self.drive / "out" / report.NAME)
        assert len(found["chapters"]) == 2
        for result in found["chapters"]:
            path = self.drive / "out" / f"{result.name}.ipynb"
            if result.passed:
                printed = nbformat.read(path, as_version=4).cells[2].outputs[0].text
                assert len(printed.strip()) == 7999
            assert result.passed or not done


class Worker(Operation):
    """What the runner's child writes between the cells of one notebook, without a kernel."""

    replaced = ("00_a.ipynb",)

    def prepare(self):
        (self.drive / "00_a.ipynb").write_text("an earlier one", encoding="utf-8")

    def act(self):
        from nbformat.v4 import new_output

        from lessonkit.runner import worker

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

    def check(self, *, done):
        text = (self.drive / "00_a.ipynb").read_text(encoding="utf-8")
        assert (text == "an earlier one" and not done) or len(json.loads(text)["cells"]) == 3


class Reports(Operation):
    """`course run` to its end with what it writes of two chapters, and nothing executed."""

    replaced = ("out/report.json", "out/report.html", "out/run.lock")

    def prepare(self):
        self.act()

    def act(self):
        from lessonkit.runner import run
        from lessonkit.runner.result import ChapterResult

        def series(chapters, request, *, report, display, interrupted):
            for chapter in chapters:
                report.add(ChapterResult(name=chapter.name, status="passed", error=None, notes=["Long. " * 900]))
            return True

        folder = toys.write(self.scratch / "run", _00_a=executed(1), _01_b=executed(2))
        with patched((run.series, "run", series)):
            command("run", "--notebooks", folder, "--out", self.drive / "out", "--jobs", 1)

    def check(self, *, done):
        from lessonkit.runner import report

        found = report.read(self.drive / "out" / report.NAME)
        assert len(found["chapters"]) == 2
        assert all(result.passed for result in found["chapters"]) or not done


class Refreshed(Operation):
    """Outputs stored in a chapter."""

    replaced = ("00_a.ipynb",)

    def prepare(self):
        toys.write(self.drive, _00_a=executed(1))
        self.before = (self.drive / "00_a.ipynb").read_bytes()

    def act(self):
        from lessonkit.notebook.outputs import store

        toys.write(self.scratch / "executed", _00_a=executed(1))
        (chapter,) = find(self.drive)
        try:
            store(chapter, self.scratch / "executed" / "00_a.ipynb")
        except OSError as error:
            raise Said(error) from error

    def check(self, *, done):
        data = (self.drive / "00_a.ipynb").read_bytes()
        assert (data != self.before) if done else json.loads(data)["cells"]


class Graded(Operation):
    """`course grade` to its end with what it writes of three submissions, and nothing judged."""

    replaced = ("out/grades.json", "out/grades.csv", "out/grades.html", "out/grade.lock")

    def submissions(self):
        for learner in ("ana", "bob", "carol"):
            toys.write(self.scratch / "in" / learner, _00_start_here=toys.notebook())
        return self.scratch / "in"

    def prepare(self):
        self.act()

    def act(self):
        from lessonkit.teach.room import grade
        from lessonkit.teach.room.rows import Graded, Row

        class Series:
            def __init__(self, folder, book, *_):
                self.book = book

            def run(self, places):
                for place in places:
                    rows = tuple(Row(exercise=f"e{n}", state="passed", message="Right. " * 60) for n in range(9))
                    given = {"learner": place.learner, "file": place.path.as_posix(), "chapter": "00_start_here"}
                    self.book.add(Graded(**given, sha256="0" * 64, rows=rows))

        with patched((grade, "GradingQueue", Series)):
            command("grade", self.submissions(), "--out", self.drive / "out", "--unconfined")

    def check(self, *, done):
        found = json.loads((self.drive / "out" / "grades.json").read_text(encoding="utf-8"))
        assert len(found["submissions"]) == 3 or not done
        assert (self.drive / "out" / "grades.html").read_text(encoding="utf-8").rstrip().endswith("</html>")


class Collected(Operation):
    """What a room handed in, gathered into a folder that has some of it."""

    def prepare(self):
        shutil.rmtree(self.scratch / "handed", ignore_errors=True)
        self.room("ana")
        self.act()
        self.room("bob", "carol")

    def room(self, *learners):
        for learner in learners:
            toys.write(self.scratch / "handed" / learner, _00_start_here=executed(learner))

    def act(self):
        command("collect", self.scratch / "handed", "--to", self.drive / "got")

    def check(self, *, done):
        handed = {path.parent.name: path.read_bytes() for path in (self.scratch / "handed").rglob("*.ipynb")}
        found = {path.parent.name: path.read_bytes() for path in (self.drive / "got").rglob("*.ipynb")}
        assert found.items() <= handed.items() and (found == handed or not done)


class Released(Operation):
    """Notebooks for a room, released a second time."""

    replaced = ("room/00_a.ipynb", "room/01_b.ipynb", "room/manifest.json")

    def prepare(self):
        toys.write(self.scratch / "release", _00_a=executed(1), _01_b=executed(2))
        self.act()
        toys.write(self.scratch / "release", _00_a=executed(3), _01_b=executed(4))

    def act(self):
        command("release", "--to", self.drive / "room", "--notebooks", self.scratch / "release")

    def check(self, *, done):
        manifest = json.loads((self.drive / "room" / "manifest.json").read_text(encoding="utf-8"))
        for name, said in manifest["notebooks"].items():
            data = (self.drive / "room" / name).read_bytes()
            assert len(json.loads(data)["cells"]) == 3
            assert hashlib.sha256(data).hexdigest() == said["sha256"] or not done


class Classroom(Operation):
    """The room that `course classroom --keep` writes now and then."""

    replaced = ("room.json",)

    def prepare(self):
        self.learners = 1
        self.act()
        self.learners = 80

    def act(self):
        from lessonkit.teach.classroom import server
        from lessonkit.teach.classroom.report_parser import Report
        from lessonkit.teach.classroom.state import ClassroomState

        room = ClassroomState([])
        for number in range(self.learners):
            room.take(Report(learner=f"{number:032x}", nickname="Zoë", events=()))
        doors = SimpleNamespace(learners="abcd-efgh")
        told = []
        opened = SimpleNamespace(keep=self.drive / "room.json", room=room, doors=doors, port=4711)
        server._keep(opened, told.append)
        if told:
            raise Said(" ".join(told))

    def check(self, *, done):
        from lessonkit.teach.classroom import state_file
        from lessonkit.teach.classroom.state import ClassroomState

        room = ClassroomState([])
        state_file.load(self.drive / "room.json", room)
        assert len(room.learners) in ((80,) if done else (1, 80))


class Joined(Operation):
    """What a learner agreed to, in the work folder."""

    def act(self):
        from lessonkit.reporting import membership

        one = membership.member("http://192.168.1.5:8765/join/abcd-efgh-jkmn-pqrs", "Zoë", folder=self.drive)
        try:
            membership.keep(self.drive, one)
        except Refused as error:
            raise Said(error) from error

    def check(self, *, done):
        from lessonkit.reporting import membership

        found = membership.read(self.drive)
        assert found.nickname == "Zoë" if found else not done


class Bundle(Operation):
    """A bundle of two wheels and two files, one file; what has come stays, and is not fetched again."""

    to = "room.zip"
    asks = False  # whether there is room for it, before it begins: another program may take it meanwhile

    def act(self):
        from lessonkit.teach.bundle import build
        from lessonkit.teach.bundle.targets import Target
        from lessonkit.teach.bundle.wheels import Package

        sys.path[:0] = [str(TESTS / "bundle")]
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
        course = {"course/README.md": TESTS.parent / "README.md", "course/LICENSE": TESTS.parent / "LICENSE"}
        os.environ |= {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": self.scratch.as_uri()}
        one = build.Plan(
            self.drive / self.to, "default", ("00_a",), {Target("linux", "3.11"): packages}, course, []
        )
        with patched(*([] if self.asks else [(build.Plan, "check_disk", lambda _: None)])):
            try:
                quietly(build.build, one)
            except Refused as error:
                raise Said(error) from error

    def unfinished(self):
        return []  # its parts are kept beside it, and it goes on with them

    def check(self, *, done):
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


class Slides(Operation):
    """`course slides` over earlier ones."""

    replaced = ("01.html",)

    def prepare(self):
        (self.drive / "01.html").write_text("<html>older</html>", encoding="utf-8")

    def act(self):
        command("slides", "01", "--out", self.drive / "01.html")

    def check(self, *, done):
        text = (self.drive / "01.html").read_text(encoding="utf-8")
        assert text.rstrip().endswith("</html>") and (len(text) > 50_000 or not done)


OPERATIONS = {
    "checkpoint": (Checkpoint, "saving a checkpoint"),
    "record": (Record, "recorded results"),
    "download": (Download, "downloading"),
    "archive": (Archived, "downloading an archive"),
    "laid out": (LaidOut, "laying out a data set"),
    "first notes": (Progress, "noting the first progress"),
    "notes": (MoreProgress, "noting progress"),
    "forgetting": (Forgotten, "forgetting progress"),
    "start page": (StartPage, "start page and layout"),
    "copies": (Copies, "making copies"),
    "update": (Updated, "updating copies"),
    "scripts": (Scripts, "bringing scripts"),
    "worker": (Worker, "saving executed notebooks"),
    "report": (Reports, "report of a run"),
    "run": (Run, "course run, whole"),
    "refresh": (Refreshed, "storing outputs"),
    "grade": (Graded, "grading"),
    "collect": (Collected, "collecting"),
    "release": (Released, "notebooks for a room"),
    "classroom": (Classroom, "keeping a classroom"),
    "join": (Joined, "joining a classroom"),
    "bundle": (Bundle, "making a bundle"),
    "bundle folder": (FolderBundle, "making a bundle"),
    "bundle asks": (AskingBundle, "making a bundle"),
    "slides": (Slides, "slides"),
}


# -- the drive


def emptied(drive):
    for path in drive.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def files_in(drive):
    return {
        path.relative_to(drive).as_posix(): path.read_bytes()
        for path in drive.rglob("*")
        if path.is_file() and not path.name.startswith("filler")
    }


def free(drive):
    return os.statvfs(drive).f_bavail * os.statvfs(drive).f_frsize


def filled(drive, room):
    """Leave `room` bytes, or, of a negative number, so many names less one."""
    if room < 0:
        number = 0
        with contextlib.suppress(OSError):
            while True:
                (drive / f"filler{number}").touch()
                number += 1
        for left in range(number + room + 1, number):
            (drive / f"filler{left}").unlink()
        return
    with (drive / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        file.truncate(0)
        os.posix_fallocate(file.fileno(), 0, max(1, free(drive) - room))


def cleared(drive):
    for path in drive.glob("filler*"):
        path.unlink()


def needed(one):
    """More bytes than an operation takes: what it leaves, and all its files once more."""
    emptied(one.drive)
    one.prepare()
    before = free(one.drive)
    one.act()
    one.check(done=True)
    return max(0, before - free(one.drive)) + sum(len(data) + PAGE for data in files_in(one.drive).values())


def too_small(one, count):
    """Amounts of room in which an operation cannot be done: `count` of them, spread over all there are, or all.

    The least room that is enough is looked for first (whole pages, and at most five names), so that what is to be
    tried is known before it is tried.
    """
    low, high = 0, -(-needed(one) // PAGE)  # pages: `high` are enough
    while low < high:
        middle = (low + high) // 2
        if tried(one, middle * PAGE) is None:
            high = middle
        else:
            low = middle + 1
    rooms = sorted({high * step // count * PAGE for step in range(count)} if high else ())
    names = list(itertools.takewhile(lambda room: tried(one, room) is not None, range(-1, -6, -1)))
    return rooms + names


def tried(one, room):
    """One case: None where there was room enough, else (what was lost or None, seconds of the next try)."""
    emptied(one.drive)
    one.prepare()
    before = files_in(one.drive)
    filled(one.drive, room)
    try:
        one.act()
    except Said as said:
        words = str(said)
    except Exception:  # noqa: BLE001 - it is what is looked for
        return f"no sentence: {traceback.format_exc()[-700:]}", 0.0
    else:
        try:
            one.check(done=True)
        except Exception:  # noqa: BLE001
            return f"it is said to be done, and is not: {traceback.format_exc()[-700:]}", 0.0
        return None
    try:
        if not (FULL.search(words) and WHAT_TO_DO.search(words) and str(one.drive) in words):
            return f"does not say what is full, where, and what to do: {words[-500:]}", 0.0
        now = files_in(one.drive)
        kept = getattr(one, "unchanged", lambda: {n: d for n, d in before.items() if n not in one.replaced})()
        for name, data in kept.items():
            assert now.get(name) == data, f"{name} is not as it was"
        assert set(one.replaced) & set(before) <= set(now), "what was to be replaced is gone"
        names = getattr(one, "unfinished", lambda: [n for n in now if TEMPORARY.search(n) or n.endswith(".part")])()
        assert not names, f"{names} is left"
        one.check(done=False)
        cleared(one.drive)
        start = time.perf_counter()
        one.act()
        one.check(done=True)
        return "", time.perf_counter() - start
    except Exception:  # noqa: BLE001
        return f"after “{words[-200:]}”: {traceback.format_exc()[-700:]}", 0.0


def main(drive, scratch, count, names):
    os.environ["JUPYTER_DATA_DIR"] = str(scratch / "jupyter")
    os.environ["COURSE_OFFLINE"] = "0"
    for name in ("COURSE_DATA", "COURSE_MIRROR", "COURSE_OFFLINE"):
        os.environ.pop(name, None)
    cli.signal = SimpleNamespace(signal=lambda *_: None, default_int_handler=None)
    for name in names:
        kind, row = OPERATIONS[name]
        shutil.rmtree(scratch / name, ignore_errors=True)
        (scratch / name).mkdir(parents=True)
        one = kind(drive, scratch / name)
        rooms = too_small(one, count)
        print(json.dumps({"row": row, "to be tried": len(rooms)}), flush=True)
        for room in rooms:
            outcome = tried(one, room)
            if outcome is not None:
                lost, seconds = outcome
                left = f"{room:,} bytes" if room >= 0 else f"{-room - 1} names"
                line = {"row": row, "case": f"{name}, {left} left", "lost": lost or None, "seconds": seconds}
                print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
