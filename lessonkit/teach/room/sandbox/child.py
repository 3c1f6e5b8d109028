"""The program that runs in the sandbox: it runs a submission's exercises in order, each in a process of its own.

    python -P -m lessonkit.teach.room.sandbox.child < job

It has the questions' inputs and probes, but no reference answer. It reports what each answer returned, and the
judge, in another process outside the sandbox, decides whether that is right. For each task it writes a line of
JSON, followed by a message (see `protocol`) of as many bytes as that line says.
"""

import contextlib
import importlib
import json
import os
import select
import signal
import sys
import time
from pathlib import Path

from lessonkit.system.fast_imports import without_collection
from lessonkit.system.meter import GLANCE, Allowance
from lessonkit.teach.room.sandbox import protocol
from lessonkit.teach.room.sandbox.resources import pids
from lessonkit.teach.room.sandbox.run_answer import told


def main() -> None:
    """Read the job, do each of its tasks, tell of each as soon as it is done."""
    out = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    job = json.load(sys.stdin)
    _limit(job["limits"])
    _hide()
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    with without_collection():
        import torch

        torch.set_num_threads(1)
        module = importlib.import_module(job["module"])
        questions = Path(module.__file__).with_name("questions.py")
        if job["forks"] and "optim" in questions.read_text(encoding="utf-8"):
            importlib.import_module("torch._dynamo")  # which the first optimizer imports, for seconds: once for all
    out.write(protocol.READY + b"\n")
    out.flush()
    for task in job["tasks"]:
        start = time.monotonic()
        ended, data = _forked(module, task, out) if job["forks"] else ("answered", told(module, task))
        head = {"name": task["name"], "ended": ended, "seconds": time.monotonic() - start, "size": len(data)}
        out.write(json.dumps(head).encode() + b"\n" + data)
        out.flush()


def _limit(limits):
    """Set the limits of the system for this process and all that it starts; Windows has none of them."""
    with contextlib.suppress(ModuleNotFoundError):
        import resource

        for name, value in limits.items():
            if kind := getattr(resource, name, None):
                resource.setrlimit(kind, (value, value))


def _hide():
    """Let no process of the same user look into this one, where the system can: it writes what the judge reads."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(4, 0)  # PR_SET_DUMPABLE


def _forked(module, task, out):
    """Do one task in a child; return how that ended and what it told."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        out.close()
        os.close(reading)
        os.setsid()
        with contextlib.suppress(BaseException), os.fdopen(writing, "wb") as pipe:
            data = told(module, task)
            pipe.write(len(data).to_bytes(8, "big") + data)
        os._exit(0)
    os.close(writing)
    try:
        own = os.getpid()
        allowance = Allowance(lambda: [one for one in pids(own) if one != own], task["limit"])
        return _heard(reading, child, allowance)
    finally:
        os.close(reading)
        if os.getpid() == 1:  # in a process namespace of our own: all there is but this process
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, 0 if os.getpid() == 1 else os.WNOHANG)[0]:
                pass


def _heard(reading, child, allowance):
    data, size = bytearray(), None
    while size is None or len(data) < 8 + size:
        if not select.select([reading], [], [], GLANCE)[0]:
            if allowance.is_over():
                return "out of time", b""
            continue
        piece = os.read(reading, 2**20)
        if not piece:
            return _end_of(child, allowance), b""
        data += piece
        if size is None and len(data) >= 8:
            size = int.from_bytes(data[:8], "big")
            if size > protocol.MOST:
                return "too much", b""
    return "answered", bytes(data[8 : 8 + size])


def _end_of(child, allowance):
    while not allowance.is_over():
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            return f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
        time.sleep(0.01)
    return "out of time"


if __name__ == "__main__":
    main()
