"""Measure the memory of a process and its descendants, and tell how it ended.

This is a module of its own because a copy of it runs in the sandbox, where `child` imports it.
"""

import contextlib
import signal
import subprocess
import sys

import psutil


def used(pid: int, *, enough: int) -> tuple[int, int]:
    """Return the bytes of memory that a process and its descendants have, and how many these are.

    Up to `enough` bytes what they share is counted more than once; beyond it, where the system says, once.
    """
    family = _family(pid)
    memory = sum(filter(None, map(_own, family)))
    if memory > enough and hasattr(psutil.Process, "memory_full_info") and sys.platform == "linux":
        memory = sum(filter(None, map(_proportional, family)))
    return memory, len(family)


def _own(process):
    try:
        info = process.memory_info()
    except psutil.Error:  # gone meanwhile
        return 0
    return info.rss - getattr(info, "shared", 0)


def _proportional(process):
    try:
        return process.memory_full_info().pss
    except psutil.AccessDenied:  # the first one, which lets nobody look into it; it shares with all others
        return 0
    except psutil.Error:
        return 0


def pids(pid: int) -> list[int]:
    """Return the numbers of a process and its descendants."""
    return [one.pid for one in _family(pid)]


def _family(pid):
    try:
        parent = psutil.Process(pid)
        return [parent, *parent.children(recursive=True)]
    except psutil.Error:
        return []


def gone(process: subprocess.Popen) -> str:
    """Return how a process ended that has closed its output: the signal, where one killed it, else "gone"."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        code = process.wait(timeout=10)
        number = -code if code < 0 else code - 128  # shells and our launcher report 128 + the signal
        if number in set(signal.Signals):
            return f"signal {signal.Signals(number).name}"
    return "gone"
