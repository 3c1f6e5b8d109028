"""A child process and everything it started: begun in its own group, ended to the last member."""

import os
import subprocess
import sys
import time
import uuid

import psutil

MARK = "COURSE_RUN"  # environment variable that every descendant inherits, also one whose parent has gone
LOOPBACK = {"linux": "lo", "darwin": "lo0"}.get(sys.platform, "")  # its interface; Windows: gloo finds it by itself


def new_mark(name: str) -> str:
    """A mark for processes of our own that begins with this process's, so that its ender ends ours as well."""
    return f"{os.environ.get(MARK, '')}{name}-{uuid.uuid4().hex}/"


def start(command: list[str], *, cwd, mark: str, env: dict[str, str], stderr) -> subprocess.Popen:
    """Starts `command` in a process group of its own, so that Ctrl-C in the terminal reaches only the parent.

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


def family(mark: str) -> list[psutil.Process]:
    """Living processes that carry `mark` (or a mark that begins with it), and their descendants."""
    found = {}
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get(MARK, "").startswith(mark):
                for member in [process, *process.children(recursive=True)]:
                    found[member.pid] = member
        except psutil.Error:
            continue  # gone meanwhile, a zombie, or another user's: none of them is ours
    return [process for process in found.values() if _lives(process)]


def end(mark: str) -> None:
    """Kills the family of `mark` and waits until nothing is left of it.

    Raises `RuntimeError` naming those that could not be killed.
    """
    for _ in range(10):  # a member may start another one while we kill: look again
        there = family(mark)
        if not there:
            return
        for process in there:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        psutil.wait_procs(there, timeout=2)
    raise RuntimeError(f"could not end: {', '.join(describe(process) for process in family(mark))}")


def leftovers(mark: str, *, patience: float = 5.0) -> list[str]:
    """What of the family still runs after `patience` seconds, described; a well-behaved one is gone at once."""
    until = time.monotonic() + patience
    while there := family(mark):
        if time.monotonic() > until:
            return [describe(process) for process in there]
        time.sleep(0.1)
    return []


def describe(process: psutil.Process) -> str:
    """`pid 123 (python train.py)`."""
    try:
        command = " ".join(process.cmdline())
    except psutil.Error:
        command = "already gone"
    return f"pid {process.pid} ({command[:80]})"


def _lives(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
