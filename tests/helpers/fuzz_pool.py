"""Cases for readers of files, run in a few child processes: one that dies or hangs costs the case it was at.

A child (fuzz_child.py) makes a case from its name, runs it, and answers with a line of JSON. Whatever it does not
answer in time, or at all, is lost, and the next case gets a new child.
"""

import collections
import contextlib
import json
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

CHILD = Path(__file__).with_name("fuzz_child.py")
PATIENCE = 120.0  # seconds for one case, however busy the machine: only a hang takes as long
BEGINNING = 600.0  # seconds for a reader's first, whole file: a busy machine imports torch meanwhile
WHOLE = "whole"  # the kind of damage that is none
CHILDREN = 2


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
            self._start()
        if case.reader not in self.tried and case.kind != WHOLE:
            self.tried.add(case.reader)
            first = self._run(case._replace(kind=WHOLE, number=0), BEGINNING)
            if first.lost or first.said:
                return first._replace(lost=first.lost or f"{first.case}: {first.said}")
        return self._run(case, self.patience)

    def _run(self, case, patience):
        start = time.perf_counter()
        try:
            self.process.stdin.write(json.dumps(case).encode() + b"\n")
            self.process.stdin.flush()
            line = self.lines.get(timeout=patience)
        except queue.Empty:
            self.end()
            return Answer(case, f"{case}: no end within {patience:g} s", time.perf_counter() - start)
        except BrokenPipeError:
            line = b""
        seconds = time.perf_counter() - start
        if not line:
            status = self.end(gently=True)
            how = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
            return Answer(case, f"{case}: the interpreter ended ({how})", seconds)
        found = json.loads(line)
        lost = f"{case}: {found['lost']}" if found["lost"] else None
        return Answer(case, lost, found["seconds"], found["said"])

    def end(self, *, gently: bool = False) -> int:
        """End the process and return its status."""
        process, self.process = self.process, None
        if process is None:
            return 0
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        if gently:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(self.patience)
        if process.poll() is None:
            process.kill()
        status = process.wait()
        self.reading.join(self.patience)
        process.stdout.close()
        return status

    def _start(self):
        self.tried = set()
        command = [sys.executable, CHILD, self.folder]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.SimpleQueue()
        self.reading = threading.Thread(target=_read, args=(self.process.stdout, self.lines), daemon=True)
        self.reading.start()


def _read(stream, lines):
    for line in stream:
        lines.put(line)
    lines.put(b"")  # the end: the process has ended


class Pool:
    """Some children, each in a folder of its own below `folder`."""

    def __init__(self, folder: Path, *, children: int = CHILDREN, patience: float = PATIENCE) -> None:
        self.children = []
        for number in range(children):
            (folder / str(number)).mkdir(parents=True)
            self.children.append(Child(folder / str(number), patience))

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
