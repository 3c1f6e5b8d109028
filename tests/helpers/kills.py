"""Processes that are killed at random moments: who is killed when, and what stays of it."""

import contextlib
import os
import random
import signal
import tempfile
import threading
import time

import aftermath
import psutil
import pytest

from lessonkit.system import processes, scratch

PATIENCE = 240  # seconds: ends a hang on a machine that is busy with other work
SCRATCHES = ("run-", "ranks-", "torchrun-", "course-room-")


@contextlib.contextmanager
def ground(monkeypatch, tmp_path):
    """`aftermath.watched` for what this process starts, too; `left(run)` afterwards says what stays."""
    with aftermath.watched(project=tmp_path) as run, monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(run.temporary))
        for name, value in run.environment.items():
            patch.setenv(name, value)
        yield run
        tidied(run)


def tidied(run):
    """Do what the next command does first: remove the folders whose owners are dead; return how many those were.

    One whose owner was killed before it had made its lock is removed by the commands of a minute later; all that
    could be about to make one here are dead.
    """
    before = len(list(run.temporary.iterdir()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scratch, "OLD", -1)
        for prefix in SCRATCHES:
            scratch.remove_abandoned(prefix, among=run.temporary)
    return before - len(list(run.temporary.iterdir()))


def left(run):
    """What stayed behind, in a sentence, or None."""
    return "; ".join(run.left) or None


def below(pid=None):
    """The living descendants of a process, this one unless told, each with its command line."""
    found = {}
    with contextlib.suppress(psutil.NoSuchProcess):
        for process in psutil.Process(pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                found[process] = " ".join(process.cmdline())
    return found


def chapter_of(process):
    """The chapter that a child of the runner, or its kernel, was started for, by the mark it carries."""
    with contextlib.suppress(psutil.Error):
        mark = process.environ().get("COURSE_RUN", "").rstrip("/")
        return mark.rpartition("/")[2]
    return ""


def ended(those, *, patience=PATIENCE):
    """Wait for the end of processes; return those that live on. A zombie has ended: its parent is to bury it."""
    until, there = time.monotonic() + patience, list(those)
    while there and time.monotonic() < until:
        there = [process for process in there if processes.lives(process)]
        time.sleep(0.02)
    return there


class Hunter(threading.Thread):
    """In the background, kills each descendant that `wanted(command, process)` names, once; a random moment later.

    `kills`: name -> (signal, when, by time.perf_counter).
    """

    def __init__(self, wanted, chance, *, within, pid=None, most=10**6, soft=True):
        super().__init__(daemon=True)
        self.wanted, self.within, self.pid, self.most, self.soft = wanted, within, pid, most, soft
        self.chance = random.Random(chance.random())
        self.kills, self.over = {}, threading.Event()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *error):
        self.over.set()
        self.join()

    def run(self):
        due = {}  # name -> (moment, process)
        while not self.over.wait(0.1):
            for process, command in below(self.pid).items():
                name = self.wanted(command, process)
                if name and name not in due and len(due) < self.most:
                    due[name] = time.monotonic() + self.chance.uniform(0, self.within), process
            for name, (moment, process) in due.items():
                if name not in self.kills and time.monotonic() > moment:
                    self.kills[name] = self.kill(process)

    def kill(self, process):
        how = signal.SIGTERM if self.soft and self.chance.random() < 0.2 else signal.SIGKILL
        start = time.perf_counter()
        with contextlib.suppress(psutil.Error):
            process.send_signal(how)
        return how, start


def kill_after(process, seconds, how=signal.SIGKILL, *, group=False):
    """Kill a Popen so many seconds from now, unless it has ended before; return its descendants of that moment."""
    with contextlib.suppress(Exception):
        process.wait(seconds)
    if process.poll() is not None:
        return []
    them = list(below(process.pid))
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, how) if group else process.send_signal(how)
    return them
