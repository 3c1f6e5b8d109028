"""A barrier for the ranks of one machine, in memory that they share."""

import itertools
import mmap
import os
import threading
import time

from course_utils import machine

Buffer = bytearray | memoryview | mmap.mmap
LINE = 64  # bytes: each rank's counter has a cache line of its own, so that writing one does not slow the others
SPINS = 2000  # looks at a counter before the core is offered to others, about 0.1 ms
YIELDS = 20  # times it is offered before the rank goes to sleep, for a little longer each time
LONGEST_NAP = 1e-3  # seconds


class Barrier:
    """`wait` returns when all ranks have called it; what each wrote before is then seen by all.

    `memory` is shared by the ranks, zeros at first; its first `Barrier.size(world_size)` bytes are used. A rank
    writes only its own counter. Waiting costs no core for long: a rank looks for a moment (not where ranks are
    more than cores: the one it waits for needs the core), then yields, then sleeps. `timeout` in seconds.
    """

    def __init__(self, memory: Buffer, *, rank: int, world_size: int, timeout: float = 30.0):
        self.rank, self.world_size, self.timeout = rank, world_size, timeout
        self._counters = memoryview(memory)[: self.size(world_size)].cast("q")[:: LINE // 8]
        self._spins = SPINS if world_size <= machine.cores() else 0
        self._turn, self._lock = 0, threading.Lock()

    @staticmethod
    def size(world_size: int) -> int:
        """Return the bytes that the counters take."""
        return LINE * world_size

    def wait(self, what: str) -> None:
        """Wait for all ranks. TimeoutError naming those that did not come to `what` in time."""
        self._turn += 1
        self._fence()
        self._counters[self.rank] = self._turn
        for other in range(self.world_size):
            if self._counters[other] < self._turn:
                self._wait_for(other, what)
        self._fence()

    def _wait_for(self, other, what):
        for _ in range(self._spins):
            if self._counters[other] >= self._turn:
                return
        until, nap = time.monotonic() + self.timeout, 1e-6
        for looks in itertools.count():
            if self._counters[other] >= self._turn:
                return
            if looks < YIELDS and hasattr(os, "sched_yield"):
                os.sched_yield()
                continue
            if time.monotonic() > until:
                self._give_up(what)
            time.sleep(nap)
            nap = min(1.5 * nap, LONGEST_NAP)

    def _give_up(self, what):
        late = [str(rank) for rank, turn in enumerate(self._counters) if turn < self._turn]
        who = f"rank {late[0]}" if len(late) == 1 else f"ranks {', '.join(late)}"
        raise TimeoutError(
            f"rank {self.rank} waited {self.timeout:g} s in {what}: {who} of {self.world_size} did not come. "
            "It has ended, hangs, or makes fewer calls than the others."
        )

    def _fence(self):
        """Keep what was written before it before what is written after it, for other cores too.

        x86 does so by itself; ARM need not. A lock given back orders what came before, a lock taken what comes
        after: twice, and nothing passes in either direction.
        """
        with self._lock:
            pass
        with self._lock:
            pass
