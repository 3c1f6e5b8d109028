"""What a run of chapters leaves on the machine: processes, ports, shared memory, temporary and other files.

with watched() as run:
    subprocess.run(..., env=os.environ | run.environment)
run.left    a sentence for each thing that was not there before
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import psutil

from course_utils import PROJECT
from lessonkit.system import processes

SHARED = Path("/dev/shm")
PATIENCE = 5  # seconds
FREED_WITHIN = 20  # seconds: a killed process's segments are freed by its resource tracker, on a busy machine late
OURS = ("torch_", "psm_", "sem.", "all-reduce", "ranks-", "gloo", "nccl")  # how names there begin that we may make
# torch.compile keeps what it has built for the next time, and ends its compilers where they stand.
CACHES = ("torchinductor_*", "cc*.s", "cc*.o", "cc*.res", "cc*.cdtor.*", "cc*.ld", "cc*.le")
# Folders of processes that were ended, with no file in them: at most the socket of a DataLoader's worker, at which
# nobody listens any more; TensorBoard had its address there.
EMPTIED = ("pymp-*", ".tensorboard-info")


class Run:
    """`environment`: variables for what is watched; `left`: what it left behind, known after the `with`."""

    def __init__(self, temporary):
        self.mark, self.temporary, self.left = processes.new_mark("watched"), temporary, []
        folders = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
        self.environment = folders | {processes.MARK: self.mark}


@contextlib.contextmanager
def watched(project=PROJECT, shared=SHARED):
    """Compares before with after; ends what still runs, and removes the temporary files."""
    run = Run(Path(tempfile.mkdtemp(prefix="w-")))  # a short path: sockets lie in it, whose names are limited
    ports, memory, files = _ports(), shared_memory(shared), _changed(project)
    try:
        yield run
        running = processes.leftovers(run.mark)
        run.left += [f"still running: {one}" for one in running]
        run.left += [f"still listening: port {port}" for port in sorted(_stay(ports, run.mark))]
        run.left += [f"shared memory: {name}" for name in sorted(abandoned(memory, shared))]
        run.left += [f"temporary file: {path.name}" for path in sorted(run.temporary.iterdir()) if not _cache(path)]
        run.left += [f"in the project: {line}" for line in sorted(_changed(project) - files)]
    finally:
        processes.end(run.mark)
        shutil.rmtree(run.temporary, ignore_errors=True)


def _cache(path):
    emptied = EMPTIED if path.is_dir() and all(inside.is_socket() for inside in path.iterdir()) else ()
    return any(path.match(pattern) for pattern in (*CACHES, *emptied))


def _ports(mark=None):
    """Ports on which somebody listens; with `mark`: without those of processes that are known not to be its own."""
    try:
        found = psutil.net_connections(kind="inet")
    except psutil.AccessDenied:  # macOS shows them to root alone; a port goes with its process
        return set()
    own = None if mark is None else {process.pid for process in processes.family(mark)} | {None}
    listening = (one for one in found if one.status == psutil.CONN_LISTEN)
    return {one.laddr.port for one in listening if own is None or one.pid in own}


def _stay(before, mark, *, patience=PATIENCE):
    """Ports that were not there before and stay: whose process is just ending is nobody's for a moment."""
    until = time.monotonic() + patience
    left = _ports(mark) - before
    while left and time.monotonic() < until:
        time.sleep(0.1)
        left &= _ports(mark)
    return left


def shared_memory(folder=SHARED, *, begins=OURS):
    """Names of this user's segments and semaphores; an empty set where the system has none to list."""
    if not folder.is_dir():
        return set()
    found = set()
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):  # gone meanwhile
            if path.name.startswith(begins) and path.stat().st_uid == os.getuid():
                found.add(path.name)
    return found


def abandoned(before, folder=SHARED, *, begins=OURS):
    """Names of segments and semaphores that are not of `before`, that stay, and that no process has in its memory.

    Other programs of this user make segments, too, and have them in their memory as long as they live.
    """
    until = time.monotonic() + FREED_WITHIN
    while left := shared_memory(folder, begins=begins) - before:
        left -= _mapped()
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.2)
    return left


def _mapped():
    """Names of the segments that living processes have in their memory."""
    found = set()
    for maps in Path("/proc").glob("[0-9]*/maps"):
        with contextlib.suppress(OSError):
            lines = maps.read_text(encoding="utf-8", errors="replace").splitlines()
            found |= {line.rpartition("/")[2] for line in lines if "/dev/shm/" in line}
    return found


def _changed(project):
    """What git says of the project's files, but for those that it is to ignore; nothing where there is no git."""
    if not shutil.which("git") or not (project / ".git").exists():
        return set()
    said = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],
        cwd=project,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return set(said.stdout.splitlines())
