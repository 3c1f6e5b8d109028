"""Thirty kernels open one clone at once, on a cold cache: one download a file, nothing corrupt, each goes on.

Each is a real kernel of this Python: in a soak with the real chapter 05 of that clone, up to the cell in which a
net learns one batch by heart; in `make test` three that only load its data. They come from a server of the test.
"""

import asyncio
import contextlib
import gzip
import hashlib
import json
import shutil
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import nbformat
import psutil
import pytest
from faults import SOAK, many
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from places import read_only
from served import Served

from course_utils import PROJECT
from course_utils.data import download, registry, settings
from lessonkit.runner import jobs, kernel
from lessonkit.runner.environment import kernel_environment

GOAL = 30
EACH = 550 << 20  # bytes that one of these kernels may take beside others: 420 of its own were seen with full MNIST
LIMIT = 900  # seconds: ends a hang
FOLDER = "MNIST/raw"
DATA, LAST = 'load("mnist"', "repeat_one_batch("  # of the cell that loads, and of the last one executed
CLONE = ("course_utils", "lessonkit", "torch_clinic", "course.toml", "pyproject.toml")
CLONE += ("data/samples", "data/recorded", "notebooks", "scripts")

# What each kernel is told before the chapter: no published server, and the MD5s of what the test serves.
PREPARE = """
from dataclasses import replace
import course_utils
from course_utils.data import registry
assert str(course_utils.PROJECT) == {clone!r}, course_utils.PROJECT
_set = registry.SPECS["mnist"]
_files = _set.sample if {small} else _set.files
registry.SPECS["mnist"] = replace(_set, mirrors=("http://127.0.0.1:9/",), files=_files)
"""
TELL = """
import hashlib, json
def _sum(part):
    content = part.images.numpy().tobytes() + part.targets.byte().numpy().tobytes()
    return hashlib.sha256(content).hexdigest()
print(json.dumps([data_set.source, _sum(data_set), _sum(test_set)]))
"""
BRIEF = nbformat.v4.new_notebook()
BRIEF.cells = [
    nbformat.v4.new_code_cell(source)
    for source in (
        "from course_utils.datasets import load",
        'data_set, test_set = load("mnist", split="train"), load("mnist", split="test")',
    )
]


def slowly(handler, content):
    """A byte now and then until `wanted` kernels have asked whether there is a server: all find a cold cache."""
    server, patience = handler.server, time.monotonic() + 60
    content = memoryview(content)
    while len(content) > 1 and count(server, "HEAD") < server.wanted and time.monotonic() < patience:
        handler.wfile.write(content[:1])  # this server is slow, and not dead
        content = content[1:]
        time.sleep(0.05)
    handler.wfile.write(content)


def count(server, method):
    """How often a server was asked by that method."""
    return sum(one == method for one, _ in server.asked)


class Held(kernel.OwnPython):
    """This Python's kernel, its command begun with the words that hold root to permissions."""

    def __init__(self, before):
        super().__init__()
        self.before = before

    def get_kernel_spec(self, kernel_name):
        spec = super().get_kernel_spec(kernel_name)
        return KernelSpec(argv=[*self.before, *spec.argv], display_name=spec.display_name, language=spec.language)


class Learner:
    """One kernel in the folder `desk`, and how far it came: `lost` is a sentence, or None."""

    def __init__(self, chapter, desk, env, *, runtime, before=()):
        self.cells = [cell.copy() for cell in chapter.cells if cell.cell_type == "code"]
        self.desk, self.env, self.lost, self.told, self.seconds = desk, env, None, None, 0.0
        self.began = time.monotonic()
        desk.mkdir(parents=True, exist_ok=True)
        # Sockets in a folder of its own: of thirty that choose ports, two can choose the same.
        self.manager = AsyncKernelManager(
            kernel_name="python3",
            client_class="jupyter_client.asynchronous.AsyncKernelClient",
            kernel_spec_manager=Held(before),
            connection_file=str(runtime / "kernel.json"),
            transport="ipc",
            ip=str(runtime / "k"),
        )
        runtime.mkdir()
        nb = nbformat.v4.new_notebook(cells=self.cells)
        self.client = NotebookClient(nb, km=self.manager, timeout=LIMIT, startup_timeout=LIMIT)

    def first(self, words):
        """The number of the first cell with these words."""
        return next(number for number, cell in enumerate(self.cells) if words in cell.source)

    async def start(self, prepare):
        """Start the kernel, and execute what stands before the cell that loads the data."""
        await self.client.async_start_new_kernel(cwd=str(self.desk), env=self.env)
        await self.client.async_start_new_kernel_client()
        await self.run(prepare)
        for number in range(self.first(DATA)):
            await self.cell(number)
            if "parameters" in self.cells[number].metadata.get("tags", []):
                await self.run('DEVICE = "cpu"')

    async def load(self):
        """Load the data, and say what came."""
        began = time.monotonic()
        await self.cell(self.first(DATA))
        self.seconds = time.monotonic() - began
        self.told = json.loads(self.text(await self.run(TELL)))

    async def go_on(self):
        """The rest, up to the net that learns a batch by heart."""
        for number in range(self.first(DATA) + 1, self.first(LAST) + 1):
            await self.cell(number)

    async def cell(self, number):
        return await self.client.async_execute_cell(self.cells[number], number)

    async def run(self, source):
        self.client.nb.cells.append(nbformat.v4.new_code_cell(source))
        return await self.cell(len(self.cells) - 1)

    @staticmethod
    def text(cell):
        return "".join(output.text for output in cell.outputs if output.output_type == "stream")

    @property
    def sentence(self):
        """What the cell that loads the data printed."""
        return self.text(self.cells[self.first(DATA)])

    async def end(self):
        with contextlib.suppress(RuntimeError):  # it was never started
            await self.manager.shutdown_kernel(now=True)
        if self.client.kc is not None:
            self.client.kc.stop_channels()


async def together(learners, step, *arguments):
    """Let all who have lost nothing take a step at the same time."""

    async def one(learner):
        try:
            await getattr(learner, step)(*arguments)
        except (CellExecutionError, DeadKernelError, RuntimeError, TimeoutError) as error:
            learner.lost = f"{step}: {str(error).strip().splitlines()[-1]}"

    await asyncio.gather(*(one(learner) for learner in learners if learner.lost is None))


async def lesson(learners, server, prepare, *, whole):
    """All of them start, then load, then (`whole`) go on; all have ended when this returns."""
    try:
        await together(learners, "start", prepare)
        server.wanted = sum(learner.lost is None for learner in learners)
        await together(learners, "load")
        if whole:
            await together(learners, "go_on")
    finally:
        await asyncio.gather(*(learner.end() for learner in learners))


@pytest.fixture
def clone(tmp_path):
    """What of the course a kernel needs, in a folder of its own: its cache is cold, and it may be locked."""
    folder = tmp_path / "course"
    for name in CLONE:
        there, target = PROJECT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if there.is_dir():
            shutil.copytree(there, target, ignore=shutil.ignore_patterns("__pycache__", "results"))
        else:
            shutil.copy(there, target)
    return folder


@pytest.fixture
def runtime():
    """A folder with a short name: the path of a socket has room for a hundred letters."""
    if sys.platform == "win32":
        pytest.skip("kernels of Windows have ports and no sockets in a folder")
    with tempfile.TemporaryDirectory(prefix="thirty") as folder:
        yield Path(folder)


def sample():
    """{name: bytes} of the sample's four files."""
    with zipfile.ZipFile(settings.SAMPLES / "mnist.zip") as archive:
        return {Path(name).name: archive.read(name) for name in archive.namelist() if name.endswith("ubyte")}


def full():
    """{name: bytes} of the full set's four files, where a soak finds them in COURSE_DATA, else None."""
    data_set, place = registry.find("mnist"), settings.course_data() if SOAK else None
    paths = data_set.paths_in(place / data_set.folder) if place else None
    return paths and {
        name: gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for name, path in paths.items()
    }


def sums(raw):
    """What TELL says of these files: a sum for each split."""
    found = []
    for split in ("train", "test"):
        images, labels = registry.find("mnist").split_files(split)
        content = raw[images.name][len(images.header) :] + raw[labels.name][len(labels.header) :]
        found.append(hashlib.sha256(content).hexdigest())
    return found


def kernels(row, short):
    """How many kernels memory allows, at most thirty; the row's note says why they are fewer."""
    wanted, free = many(short, GOAL), jobs.free_memory()
    count = max(2, min(wanted, int((free - (1 << 30)) // EACH)))
    if count < wanted:
        row.note = f"{count} kernels: {free >> 20:,} MiB are free, and each may take {EACH >> 20}"
    return count


def environment(clone, server, count, **others):
    """The environment of the runner's kernels, of which `count` run side by side, for another clone."""
    ours = ("COURSE_", "PYTEST_", "MPLBACKEND")
    env = {name: value for name, value in kernel_environment(count).items() if not name.startswith(ours)}
    return env | {"PYTHONPATH": str(clone), "COURSE_MIRROR": server.url, "no_proxy": "*"} | others


def files(folder):
    """{path: (size, time)} of all that lies in a folder, but for Python's own caches."""
    found = (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): (path.stat().st_size, path.stat().st_mtime_ns) for path in found}


def judge(row, learner, told):
    """Count a kernel that should have gone on to the end with the data that `told` names."""
    if learner.lost is None and learner.told != told:
        learner.lost = f"other data, {learner.told}"
    row.count(learner.lost and f"{learner.lost}; {learner.sentence}", seconds=learner.seconds)


def judge_the_cache(home, server):
    """One download a file, however many wanted it; in the cache those files and locks, whole."""
    gets = sorted(name for method, name in server.asked if method == "GET")
    assert gets == sorted(server.files)
    there = {path.name: path for path in (home / "data" / "cache").rglob("*") if path.is_file()}
    assert {name: path.read_bytes() for name, path in there.items() if path.suffix != ".lock"} == server.files


def alive(runtime):
    """The command lines of kernels that still live."""
    lines = [" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])]
    return [line for line in lines if str(runtime) in line]


class Room:
    """What both tests need: the chapter of a clone, a server, kernels, and what they are to say of their data."""

    def __init__(self, clone, runtime, row):
        raw = full() or sample()
        self.clone, self.runtime, self.small = clone, runtime, raw == sample()
        packed = {f"{name}.gz": gzip.compress(content, 1, mtime=0) for name, content in raw.items()}
        self.server = Served(packed, send=slowly)
        self.server.wanted = 1
        self.whole, self.sample = ["full", *sums(raw)], ["sample", *sums(sample())]
        self.chapter = nbformat.read(clone / "notebooks" / "05_training.ipynb", as_version=4) if SOAK else BRIEF
        self.count, self.learners = kernels(row, 3), []

    def enter(self, desk, *, before=(), **settings):
        """One more kernel, in the folder `desk`."""
        env, runtime = (
            environment(self.clone, self.server, self.count, **settings),
            self.runtime / str(len(self.learners)),
        )
        self.learners.append(Learner(self.chapter, desk, env, runtime=runtime, before=before))
        return self.learners[-1]

    def teach(self):
        """All of them through the chapter."""
        # In `make test` beside other work: a server that is slow to answer is no finding there.
        patience = download.BUDGET if SOAK else 60.0
        prepare = PREPARE.format(clone=str(self.clone), small=self.small, patience=patience)
        try:
            asyncio.run(lesson(self.learners, self.server, prepare, whole=SOAK))
        finally:
            self.server.close()
        assert not alive(self.runtime)


def test_one_cold_cache(fault, clone, runtime):
    with fault("thirty kernels, one cold cache", goal=GOAL) as row:
        room = Room(clone, runtime, row)
        for _ in range(room.count):
            room.enter(clone / "notebooks")  # all in one folder
        room.teach()
        for learner in room.learners:
            judge(row, learner, room.whole)
        judge_the_cache(clone, room.server)


def test_a_read_only_clone(fault, clone, runtime, tmp_path):
    """Two of three write where COURSE_HOME says; the third has no cache and takes the sample.

    In a soak three more stand among the originals, where a chapter cannot make its folder of results.
    """
    before, home = files(clone), tmp_path / "home"
    with fault("the same, clone read-only", goal=GOAL) as row, read_only(clone) as held:
        room = Room(clone, runtime, row)
        kinds = {"home": [], "homeless": [], "inside": []}
        for number in range(room.count):
            if number >= many(room.count, room.count - 3):
                kinds["inside"].append(room.enter(clone / "notebooks", before=held))
            elif number % 3 < 2:
                kinds["home"].append(room.enter(home / "work", before=held, COURSE_HOME=str(home)))
            else:
                kinds["homeless"].append(room.enter(tmp_path / f"homeless_{number}", before=held))
        room.teach()
        for learner in kinds["home"]:
            judge(row, learner, room.whole)
        for learner in kinds["homeless"]:
            where = f"found a folder that cannot be written at {clone / 'data' / 'cache' / FOLDER}"
            if learner.lost is None and where not in learner.sentence:
                learner.lost = "it did not say where it would have written"
            judge(row, learner, room.sample)
        for learner in kinds["inside"]:
            row.count(None if "Permission denied: 'results'" in (learner.lost or "") else f"inside: {learner.lost}")
        judge_the_cache(home, room.server)
    assert files(clone) == before
    assert sorted(path.name for path in home.iterdir()) == ["data", "work"]
    allowed = {"results", ".course", "START.md"}  # the last two: progress, where the course writes and nowhere else
    assert {path.name for path in (home / "work").iterdir()} <= allowed
    for learner in kinds["homeless"]:
        assert {path.name for path in learner.desk.iterdir()} <= {"results"}
