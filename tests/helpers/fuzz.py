"""Cases for readers of files, run in a few child processes: one that dies or hangs costs the case it was at.

A child makes a case from its name, lets the reader at it, watches that, and answers. A case is lost where anything
else than one of the reader's own errors comes out, where an error names no file or says too little, where the
reader opens what lies outside the folder of the case or leaves something there, starts a program, or takes more
memory than the file justifies. Whatever a child does not answer in time, or at all, is lost, and the next case gets
a new child.
"""

import collections
import contextlib
import importlib
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import fuzz_damage as damage

try:
    import resource
except ImportError:  # Windows, where no case is run
    resource = None

PATIENCE = 120.0  # seconds for one case, however busy the machine: only a hang takes as long
BEGINNING = 600.0  # seconds for a reader's first, whole file: a busy machine imports torch meanwhile
WHOLE = "whole"  # the kind of damage that is none
CHILDREN = 2
MIB = 1 << 20
ADDRESSES = 3 << 30  # bytes that a case may address beyond what the process has: a bomb ends here
SHORTEST = 25  # characters of a sentence that says what was found and what to do
SECRET = "secret.txt"
TEXT = b"What stands outside the folder of a case, and is nobody's to read.\n"
# What a reader may open besides its own folder: Python's own, the course's, the system's.
ROOTS = {sys.prefix, sys.base_prefix, str(Path(__file__).resolve().parents[2]), "/proc", "/sys", "/usr", "/lib"}
ROOTS = tuple(f"{os.path.realpath(root)}/" for root in ROOTS)
FILES = {"/dev/null", "/dev/zero", "/dev/urandom", "/etc/localtime", "/etc/timezone"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
ALTERING = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.symlink", "os.link", "os.truncate"}
STARTING = {"subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "socket.connect"}


@dataclass
class Reader:
    """One reader: what it reads, how, which errors are its own, its kinds of damage, and what it may take.

    `files(folder)` gives the whole set as {name: bytes}, of which the first is damaged; `read(folder, path)` lets
    the course at it, and asserts what must hold of what was read. `named`: names its sentences may give instead of
    the file's. A case may take `memory` MiB (a checkpoint's header alone may have 64) and `times` the size of its
    files: what a picture decodes to, say.
    """

    name: str
    files: Callable[[Path], dict[str, bytes]]
    read: Callable[[Path, Path], None]
    errors: tuple[type[BaseException], ...]
    kinds: dict[str, Callable] = field(default_factory=lambda: damage.COMMON)
    named: tuple[str, ...] = ()
    names_file: bool = True
    memory: int = 64
    times: int = 4

    def build(self, folder: Path) -> Path:
        """Write the whole set into a folder; return the file to damage."""
        files = self.files(folder)
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        return folder / next(iter(files))


class Case(NamedTuple):
    """One damaged file: the module and name of its reader, the kind of damage, a number that is its seed."""

    module: str
    reader: str
    kind: str
    number: int

    def __str__(self) -> str:
        return f"{self.reader}, {self.kind} {self.number}"


class Answer(NamedTuple):
    """What became of a case: None or what was lost, in a sentence; the seconds it took; the reader's sentence."""

    case: Case
    lost: str | None
    seconds: float
    said: str = ""


class Child:
    """One process that takes case after case."""

    def __init__(self, folder: Path, patience: float) -> None:
        self.folder, self.patience, self.process = folder, patience, None

    def run(self, case: Case) -> Answer:
        """Run one case, in a new process if the one before ended; a reader's first is whole, for its imports."""
        if self.process is None:
            spawn, self.tried = multiprocessing.get_context("spawn"), set()
            self.pipe, there = spawn.Pipe()
            self.process = spawn.Process(target=main, args=(self.folder.resolve(), there), daemon=True)
            self.process.start()
            there.close()
        if case.reader not in self.tried and case.kind != WHOLE:
            self.tried.add(case.reader)
            first = self._run(case._replace(kind=WHOLE, number=0), BEGINNING)
            if first.lost or first.said:
                return first._replace(lost=first.lost or f"{first.case}: {first.said}")
        return self._run(case, self.patience)

    def _run(self, case, patience):
        start = time.perf_counter()
        try:
            self.pipe.send(tuple(case))
            if not self.pipe.poll(patience):
                self.end()
                return Answer(case, f"{case}: no end within {patience:g} s", time.perf_counter() - start)
            lost, seconds, said = self.pipe.recv()
        except (EOFError, OSError):
            seconds, status = time.perf_counter() - start, self.end(gently=True)
            how = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
            return Answer(case, f"{case}: the interpreter ended ({how})", seconds)
        return Answer(case, f"{case}: {lost}" if lost else None, seconds, said)

    def end(self, *, gently: bool = False) -> int:
        """End the process and return its status."""
        process, self.process = self.process, None
        if process is None:
            return 0
        self.pipe.close()
        process.join(self.patience if gently else 0)
        process.kill()
        process.join()
        return process.exitcode


class Pool:
    """Some children, each in a folder of its own below `folder`."""

    def __init__(self, folder: Path, *, children: int = CHILDREN, patience: float = PATIENCE) -> None:
        self.children = [Child(folder / str(number), patience) for number in range(children)]
        for child in self.children:
            child.folder.mkdir(parents=True)

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *error) -> None:
        for child in self.children:
            child.end(gently=not any(error))

    def run(self, cases) -> list[Answer]:
        """Run all cases; return their answers in no order."""
        waiting, done = collections.deque(cases), []

        def work(child):
            with contextlib.suppress(IndexError):
                while True:
                    done.append(child.run(waiting.popleft()))

        threads = [threading.Thread(target=work, args=(child,)) for child in self.children]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return done


# -- in the child


class Watch:
    """What the interpreter opens, alters and starts while a case runs; `opened` is called with each path opened."""

    def __init__(self, base: Path) -> None:
        self.base, self.active, self.linked, self.faults, self.opened = str(base), False, False, [], None
        self.here = threading.local()
        sys.addaudithook(self)

    def __call__(self, event, arguments):
        if not self.active or not (event == "open" or event in ALTERING or event in STARTING):
            return
        if getattr(self.here, "asking", False):
            return
        self.here.asking = True  # what is asked here, in this thread, is not watched
        try:
            if event in STARTING:
                self.faults.append(f"it started something ({event} {arguments!r:.80})")
            elif event in ALTERING and arguments[-1] not in (-1, None) and isinstance(arguments[-1], int):
                pass  # in an open folder, as rmtree does: what it left is seen afterwards
            elif isinstance(arguments[0], (str, bytes, os.PathLike)):
                self._path(event, arguments)
        finally:
            self.here.asking = False

    def _path(self, event, arguments):
        path = os.fsdecode(arguments[0])
        if event == "open" and self.opened is not None:
            self.opened(path)
        altering = event in ALTERING  # of a link they alter the link
        whole = f"{os.path.realpath(Path(path).parent)}/{Path(path).name}" if altering else os.path.realpath(path)
        if whole.startswith((f"{self.base}/case", f"{self.base}/tmp")):
            return
        if altering or (arguments[2] or 0) & WRITING:
            if not (whole.startswith(ROOTS) and "__pycache__" in whole) and whole != "/dev/null":
                self.faults.append(f"it altered something outside its folder ({event} {whole})")
        elif not (
            self.linked if whole.startswith(f"{self.base}/outside") else (whole.startswith(ROOTS) or whole in FILES)
        ):
            self.faults.append(f"it read outside its folder ({whole})")


class Ground:
    """The folder of a child: `case` for the case at hand, `outside` for what it may not touch, `tmp`."""

    def __init__(self, base: Path) -> None:
        self.base, self.outside, self.tmp = base, base / "outside", base / "tmp"
        tempfile.tempdir = str(self.tmp)
        self.clear()  # a child that died may have left its case

    def clear(self) -> str | None:
        """Remove a case's folder; return what it left beside, and remove that as well."""
        beside = [path.name for path in sorted(self.base.iterdir()) if not path.name.startswith("case")]
        left = [f"{name} beside its folder" for name in beside if name not in ("outside", "tmp")]
        temporary = self.tmp.iterdir() if self.tmp.is_dir() else []
        left += [f"{path.name} in the folder for temporary files" for path in temporary]
        secret = self.outside / SECRET
        there = list(self.outside.iterdir()) if self.outside.is_dir() else []
        if there != [secret] or secret.read_bytes() != TEXT:
            left.append("another content outside")
        for path in list(self.base.iterdir()):
            if path.name.startswith("case") or left:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        self.outside.mkdir(exist_ok=True)
        self.tmp.mkdir(exist_ok=True)
        secret.write_bytes(TEXT)
        return f"it left {left[0]}" if left else None


def main(base: Path, pipe) -> None:
    """Answer the cases that come through a pipe, until it is closed; what is printed goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    sys.stdout = os.fdopen(nowhere, "w", encoding="utf-8", errors="replace")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    ground, watch = Ground(base), Watch(base)
    with contextlib.suppress(EOFError):
        while True:
            module, name, kind, number = pipe.recv()
            pipe.send(one(ground, watch, importlib.import_module(module).READERS[name], kind, number))


def one(ground, watch, reader, kind, number):
    """Run one case; return what was lost or None, the seconds, and the sentence that the reader said."""
    rng = random.Random(f"{reader.name}/{kind}/{number}")
    damage.ALTERED.clear()
    folder = ground.base / "case"
    folder.mkdir()
    target = reader.build(folder)
    change = None if kind == WHOLE else reader.kinds[kind](target, rng, number)
    if kind == "names":
        folder = folder.rename(os.fsdecode(os.fsencode(folder) + b"-\xe9\xff"))
        target = folder / target.relative_to(ground.base / "case")
    size = sum(path.lstat().st_size for path in folder.rglob("*"))
    watch.linked, watch.faults, watch.opened = kind in ("odd places", "base"), [], None  # these make links
    stop = change(watch, target) if change is not None else None
    before = _memory("VmRSS")
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
    if kind != WHOLE:
        resource.setrlimit(resource.RLIMIT_AS, (_memory("VmSize") + ADDRESSES, resource.RLIM_INFINITY))
    start, said, lost = time.perf_counter(), "", None
    watch.active = kind != WHOLE
    try:
        reader.read(folder, target)
    except reader.errors as error:
        said = str(error)
        names = {os.fsdecode(os.fsencode(name)) for name in (folder.name, target.name, *reader.named)}
        if len(said) < (SHORTEST if reader.names_file else SHORTEST // 2):
            lost = f"a sentence that says too little: {said!r}"
        elif reader.names_file and not any(name in said for name in names):
            lost = f"a sentence that names no file: {said!r:.200}"
    except BaseException as error:  # noqa: BLE001 - whatever comes out is the result
        lost = f"{type(error).__name__}: {error!s:.200}{_where(error)}"
    finally:
        watch.active = False
        seconds = time.perf_counter() - start
        peak = _memory("VmHWM")
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        if stop is not None:
            stop()
    if kind == WHOLE:
        ground.clear()  # torch makes a folder for its caches when it is first used
        return lost, seconds, said
    lost = lost or next(iter(watch.faults), None)
    if lost is None and peak - before > reader.memory * MIB + reader.times * size:
        lost = f"{(peak - before) / MIB:.0f} MiB of memory for a file of {size:,} bytes"
    left = ground.clear()
    return lost or left, seconds, said


def _where(error):
    """Where an error was raised, the last file of the course on the way to it first."""
    places, step = [], error.__traceback__
    while step is not None:
        places.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    ours = [
        place for place in places if any(name in place[0] for name in ("course_utils", "lessonkit", "torch_clinic"))
    ]
    path, line = (ours or places)[-1]
    return f" ({Path(path).name}:{line})"


def _memory(field):
    with Path("/proc/self/status").open(encoding="ascii", errors="replace") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field)) << 10
