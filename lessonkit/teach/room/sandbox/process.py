"""A submission's process, as the judge handles it: start it, watch its limits, read its messages, and end it."""

import contextlib
import json
import math
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import psutil

from lessonkit.system import processes
from lessonkit.system.meter import GLANCE, Allowance
from lessonkit.teach.room.sandbox import isolation, protocol
from lessonkit.teach.room.sandbox.isolation import Isolation
from lessonkit.teach.room.sandbox.resources import gone, pids, used

NOT_STARTED = "not started"  # how the end of a process begins that never ran a learner's cell
STARTING = 120.0  # seconds until torch is imported, as a `Meter` counts them
GRACE = 15.0  # such seconds beyond a task's own limit
_HEADER = 10_000  # bytes of the line before a message


@dataclass(frozen=True)
class Limits:
    """What one submission may use: seconds (a `Meter`'s) for each exercise, the rest for all processes together."""

    seconds: float = 30.0
    memory: int = 4 * 2**30  # bytes, of all processes
    processes: int = 64
    file: int = 64 * 2**20  # bytes of one file
    spare: int = 400 * 2**20  # bytes that the machine is to have left; below that it is ended

    @property
    def whole(self) -> float:
        """The seconds that a submission may take in all."""
        return 5 * self.seconds

    def of_the_system(self) -> dict[str, int]:
        """Return the limits that the system holds for each process; torch alone takes 3.5 GB of addresses."""
        each = {"RLIMIT_AS": self.memory + 4 * 2**30, "RLIMIT_DATA": self.memory, "RLIMIT_NPROC": self.processes}
        return each | {"RLIMIT_FSIZE": self.file, "RLIMIT_NOFILE": 256, "RLIMIT_CORE": 0}


class Told(NamedTuple):
    """What came of one task. `ended`: "answered", else why there is no message."""

    name: str
    ended: str
    seconds: float = 0.0
    message: dict | None = None


def in_words(ended: str, limits: Limits) -> tuple[str, str]:
    """Return the state and the words for a process that did not answer."""
    if ended.startswith(NOT_STARTED):
        return "not judged", f"Its process was {ended}; none of its cells has run."
    if ended == "out of time":
        return "too slow", f"No answer within {limits.seconds:g} s; its process was ended. A loop that never ends?"
    if ended == "used up":
        words = f"the exercises above had used up the {limits.whole:g} s of this submission."
        return "too slow", f"It was not run: {words}"
    if ended == "the machine ran out of memory":
        return "not judged", "Its process was ended as this machine ran out of memory. Grade with --jobs 1."
    if ended == "out of memory":
        return "ended", f"Its process was ended: it took more than {limits.memory / 2**30:.0f} GB of memory."
    if ended == "too many processes":
        return "ended", f"Its process was ended: it had started more than {limits.processes} others."
    if ended.startswith(("exit code", "signal")):
        return "ended", f"Its process ended before it had answered ({ended})."
    if ended == "too much":
        return "wrong", "What it returned is larger than 64 MB."
    if ended.startswith("unreadable"):
        return "wrong", f"What it returned cannot be read: {ended.partition(': ')[2]}."
    return "ended", f"Its process ended before it had answered: {ended}."


@dataclass
class SandboxProcess:
    """One process for a submission's tasks. `tree`: the course it sees; `isolation`: how it is kept apart."""

    module: str
    tree: Path
    isolation: Isolation
    limits: Limits
    forks: bool = sys.platform == "linux"  # else one task is all that a process is given
    ended: str = field(default="", init=False)  # why it was ended, empty while it was not
    charged: float = field(default=0.0, init=False)  # seconds that its tasks took together

    def run(self, tasks: list[dict], *, seconds: float = math.inf, until: float = math.inf) -> Iterator[Told]:
        """Yield what came of each task, in order; one whose process is ended ends the series.

        Once it has started, they have `seconds` together, and `until` (as `time.monotonic` counts) is the end.
        """
        self.ended, self.charged, self._seconds, self._latest = "", 0.0, seconds, until
        with contextlib.ExitStack() as stack:
            # Beside the course that it sees: when this process is killed, whoever made that removes both.
            beside = tempfile.TemporaryDirectory(dir=self.tree.parent, ignore_cleanup_errors=True)
            place, log = stack.enter_context(beside), stack.enter_context(tempfile.TemporaryFile())
            root, home = Path(place) / "root", Path(place) / "home"
            root.mkdir()
            home.mkdir()
            mark = processes.new_mark("room")
            command = [sys.executable, "-P", "-m", "lessonkit.teach.room.sandbox.child"]
            process = isolation.start(
                self.isolation, command, tree=self.tree, root=str(root), home=str(home), mark=mark, stderr=log
            )
            self._allowance = Allowance(lambda: pids(process.pid), STARTING)
            stop = threading.Event()
            watcher = threading.Thread(target=self._watch, args=(process, stop), daemon=True)
            watcher.start()
            try:
                yield from self._heard(process, tasks, log)
            finally:
                stop.set()
                watcher.join()
                _end(process, mark, confined=self.isolation.of_files)

    def _heard(self, process, tasks, log):
        job = {"module": self.module, "tasks": tasks, "limits": self.limits.of_the_system(), "forks": self.forks}
        with contextlib.suppress(OSError), process.stdin:  # one that is gone already is seen below
            process.stdin.write(json.dumps(job).encode())
        if process.stdout.readline(_HEADER).strip() != protocol.READY:
            yield Told(tasks[0]["name"], f"{NOT_STARTED}{f', {self.ended}' if self.ended else _tail(log)}")
            return
        for task in tasks:
            most = min(task["limit"] + GRACE, max(0.0, self._seconds - self.charged))
            self._allowance = Allowance(lambda: pids(process.pid), most, latest=self._latest)
            line = process.stdout.readline(_HEADER)
            try:
                head = json.loads(line)
                ended, seconds, size = str(head["ended"])[:60], float(head["seconds"]), int(head["size"])
                data = process.stdout.read(size) if 0 <= size <= protocol.MOST else b""
                if len(data) != size:
                    raise ValueError("cut off")
            except (ValueError, KeyError, TypeError):
                yield Told(task["name"], self.ended or f"{gone(process)}{_tail(log)}")
                return
            finally:
                self.charged += self._allowance.charged()
            yield _told(task["name"], ended, seconds, data)

    def _watch(self, process, stop):
        """End it when it takes too long or too much."""
        while not stop.wait(GLANCE):
            if self._allowance.is_over():
                self.ended = "out of time"
            elif psutil.virtual_memory().available < self.limits.spare:
                self.ended = "the machine ran out of memory"
            else:
                memory, count = used(process.pid, enough=self.limits.memory)
                if memory > self.limits.memory:
                    self.ended = "out of memory"
                elif count > 2 * self.limits.processes:
                    self.ended = "too many processes"
            if self.ended:
                processes.kill_tree(process)
                return


def _end(process: subprocess.Popen, mark: str, *, confined: bool) -> None:
    processes.kill_tree(process)
    process.wait()
    process.stdout.close()
    if not confined:  # a namespace has ended with its first process
        processes.end(mark)


def _told(name, ended, seconds, data):
    if ended != "answered":
        return Told(name, ended, seconds)
    try:
        message = protocol.unpack(data)
    except protocol.Unreadable as error:
        return Told(name, f"unreadable: {error}", seconds)
    if "trouble" in message:
        return Told(name, f"unreadable: {message['trouble']}"[:300], seconds)
    return Told(name, ended, seconds, message)


def _tail(log):
    log.seek(0)
    words = log.read()[-500:].decode("utf-8", "replace").strip()
    return f": {words.splitlines()[-1]}" if words else ""
