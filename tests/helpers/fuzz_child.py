"""The child of fuzz_pool.py: makes one damaged file after the other, lets its reader at it, and watches that.

A case is lost where anything else than one of the reader's own errors comes out, where an error names no file or
says too little, where the reader opens what lies outside the folder of the case or leaves something there, starts
a program, or takes more memory than the file justifies.
"""

import contextlib
import importlib
import json
import os
import random
import resource
import shutil
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

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
        elif whole.startswith(f"{self.base}/outside"):
            if not self.linked:
                self.faults.append(f"it read outside its folder ({whole})")
        elif not whole.startswith(ROOTS) and whole not in FILES:
            self.faults.append(f"it read outside its folder ({whole})")


class Ground:
    """The folder of a child: `case` for the case at hand, `outside` for what it may not touch, `tmp`."""

    def __init__(self, base: Path) -> None:
        self.base, self.outside, self.tmp = base, base / "outside", base / "tmp"
        tempfile.tempdir = str(self.tmp)
        self.clear()  # a child that died may have left its case

    def fresh(self) -> Path:
        """Return an empty folder for a case."""
        folder = self.base / "case"
        folder.mkdir()
        return folder

    def clear(self) -> str | None:
        """Remove a case's folder; return what it left beside, and remove that as well."""
        beside = {path.name for path in self.base.iterdir()} - {"outside", "tmp"}
        beside -= {name for name in beside if name.startswith("case")}
        left = [f"{name} beside its folder" for name in sorted(beside)]
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


def main(base: Path) -> None:
    """Answer the cases on standard input, one line each, on what was standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8", errors="replace")
    os.dup2(sys.stdout.fileno(), 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    ground = Ground(base)
    watch = Watch(base)
    for line in sys.stdin.buffer:
        module, name, kind, number = json.loads(line)
        reader = importlib.import_module(module).READERS[name]
        lost, seconds, said = one(ground, watch, reader, kind, number)
        answers.write(json.dumps({"lost": lost, "seconds": seconds, "said": said}).encode() + b"\n")
        answers.flush()


def one(ground, watch, reader, kind, number):
    """Run one case; return what was lost or None, the seconds, and the sentence that the reader said."""
    rng = random.Random(f"{reader.name}/{kind}/{number}")
    folder = ground.fresh()
    target = reader.build(folder)
    change = None if kind == "whole" else reader.kinds[kind](target, rng, number)
    if kind == "names":
        folder = folder.rename(os.fsdecode(os.fsencode(folder) + b"-\xe9\xff"))
        target = folder / target.relative_to(ground.base / "case")
    size = sum(path.lstat().st_size for path in folder.rglob("*"))
    watch.linked, watch.faults, watch.opened = kind in ("odd places", "base"), [], None  # these make links
    stop = change(watch, target) if change is not None else None
    before = _memory("VmRSS")
    _forget_peak()
    addresses = _memory("VmSize")
    if kind != "whole":
        resource.setrlimit(resource.RLIMIT_AS, (addresses + ADDRESSES, resource.RLIM_INFINITY))
    start, said, lost = time.perf_counter(), "", None
    watch.active = kind != "whole"
    try:
        reader.read(folder, target)
    except reader.errors() as error:
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
    allowed = reader.memory * MIB + reader.times * size
    if lost is None and watch.faults:
        lost = watch.faults[0]
    if lost is None and kind != "whole" and peak - before > allowed:
        lost = f"{(peak - before) / MIB:.0f} MiB of memory for a file of {size:,} bytes"
    left = ground.clear()
    if kind == "whole":
        left = None  # torch makes a folder for its caches when it is first used
    return lost or left, seconds, said


def _where(error):
    """Where an error was raised, the last file of the course on the way to it first."""
    places, step = [], error.__traceback__
    while step is not None:
        places.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    ours = [place for place in places if "course_utils" in place[0] or "torch_clinic" in place[0]] or places
    return f" ({Path(ours[-1][0]).name}:{ours[-1][1]})"


def _memory(field):
    with Path("/proc/self/status").open(encoding="ascii", errors="replace") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field)) << 10


def _forget_peak():
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
