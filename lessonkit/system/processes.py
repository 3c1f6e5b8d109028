"""Start a child process in a group of its own, end it with all its descendants, and end it when its parent dies."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

from lessonkit.system import scratch

if TYPE_CHECKING:
    import psutil  # 8 ms, which a kernel's start is spared: each function that needs it imports it

MARK = "COURSE_RUN"  # environment variable that every descendant inherits, also one whose parent has gone
FORK_SERVER = "fork-server"  # begins the last part of such a server's mark


def new_mark(name: str) -> str:
    """Return a mark for processes of our own.

    Nested marks share a prefix: it begins with this process's own mark, so ending that run ends this one too.
    """
    return f"{os.environ.get(MARK, '')}{name}-{uuid.uuid4().hex}/"


def start(command: list[str], *, cwd: Path, mark: str, env: dict[str, str], stderr: IO | int) -> subprocess.Popen:
    """Start `command` in a process group of its own, so that Ctrl-C in the terminal reaches only the parent.

    `mark` is how its descendants are recognised later. Standard input and output are pipes of text.
    """
    apart = (
        {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        if sys.platform == "win32"
        else {"start_new_session": True}
    )
    return subprocess.Popen(
        command,
        cwd=cwd,
        env={**env, MARK: mark},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        encoding="utf-8",
        errors="replace",
        **apart,
    )


def family(mark: str) -> "list[psutil.Process]":
    """Return the living processes that carry `mark` (or a mark that begins with it), and their descendants."""
    import psutil

    found = {}
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get(MARK, "").startswith(mark):
                for member in [process, *process.children(recursive=True)]:
                    found[member.pid] = member
        except psutil.Error:
            continue  # it has ended, is a zombie, or belongs to another user: none of them is ours
    return [process for process in found.values() if lives(process)]


def end(mark: str) -> None:
    """Kill the family of `mark` and wait until nothing is left of it.

    Python's resource trackers come last: each frees the shared memory of a dead parent, and then ends by itself.
    Raises `RuntimeError` naming those that could not be killed.
    """
    import psutil

    for attempt in range(10):  # a member may start another one while we kill: look again
        there = family(mark)
        if not there:
            return
        others = [process for process in there if not is_tracker(process)]
        for process in others if others or attempt == 0 else there:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(there, timeout=2)
    if there := family(mark):
        raise RuntimeError(f"could not end: {', '.join(describe(process) for process in there)}")


def kill_tree(process: subprocess.Popen | BaseProcess) -> None:
    """Kill a child of this process and its descendants, the last ones first."""
    kill_below(process.pid)
    with contextlib.suppress(OSError):
        process.kill()


def kill_below(pid: int, *, spare: "Callable[[psutil.Process], bool]" = lambda _: False) -> None:
    """Kill the descendants of a process, the last ones first, but those of which `spare` is true.

    Any of them may end by itself between the listing and its turn, which must not keep the others alive.
    """
    import psutil

    try:
        there = psutil.Process(pid).children(recursive=True)
    except psutil.Error:  # it has ended: whose its children were can no longer be told
        return
    for one in reversed(there):
        if not spare(one):
            with contextlib.suppress(psutil.Error):
                one.kill()


def is_tracker(process: "psutil.Process") -> bool:
    """Return whether a process is multiprocessing's resource tracker."""
    import psutil

    try:
        return "resource_tracker" in " ".join(process.cmdline())
    except psutil.Error:  # already gone
        return False


def is_fork_server(process: "psutil.Process") -> bool:
    """Return whether a process is a fork server, which ends with its starter; its children have other marks."""
    import psutil

    try:
        mark = process.environ().get(MARK, "")
    except psutil.Error:  # already gone
        return False
    return mark.rstrip(" /").rpartition("/")[2].startswith(f"{FORK_SERVER}-")


def leftovers(mark: str, *, patience: float = 5.0) -> list[str]:
    """Return descriptions of the family's members that still run after `patience` seconds; good ones are gone."""
    until = time.monotonic() + patience
    while there := family(mark):
        if time.monotonic() > until:
            return [describe(process) for process in there]
        time.sleep(0.1)
    return []


def ending(code: int) -> str:
    """Return a phrase for what ended a process that was not done. `code`: as `Popen.returncode` has it."""
    if code >= 0:
        return f"ended with code {code}"
    name = signal.Signals(-code).name
    return f"killed by {name}" + (", which people, programs and systems short of memory send" if code == -9 else "")


def describe(process: "psutil.Process") -> str:
    """Return `pid 123 (python train.py)`."""
    import psutil

    try:
        command = " ".join(process.cmdline())
    except psutil.Error:
        command = "already gone"
    return f"pid {process.pid} ({command[:80]})"


def lives(process: "psutil.Process | int") -> bool:
    """Return whether a process, or the one with that pid, still runs; a zombie has ended."""
    import psutil

    try:
        if isinstance(process, int):
            process = psutil.Process(process)
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class ParentWatcher(threading.Thread):
    """Ends this process, its family and `folders` once the parent is gone, and sets `noticed` before.

    The parent holds the other side of standard input, from which nothing more is read, for as long as it lives.
    The family is what carries the mark that `start` gave. `before` is called first. Use it in a `with`:
    an error in it that comes of the parent's death does not end the process before this has tidied.
    """

    def __init__(self, *folders: str | Path, before: Callable[[], object] | None = None):
        super().__init__(daemon=True)
        self.folders, self.before, self.noticed = folders, before, threading.Event()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self.noticed.is_set() or (kind and issubclass(kind, BrokenPipeError)):
            self.join()

    def run(self) -> None:
        """Wait, and end this process."""
        while os.read(0, 1 << 16):
            continue
        self.noticed.set()
        try:
            if self.before:
                self.before()
            if mark := os.environ.get(MARK):
                end(mark)
            for folder in self.folders:
                scratch.remove(folder)
        finally:
            os._exit(1)
