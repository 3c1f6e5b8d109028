"""Measure the seconds that code computes or sleeps, without those in which it waits for a core.

So a limit means the same on a machine that has other things to do. Linux tells how long each thread has waited;
where that cannot be read, as on macOS and Windows, what passes on the clock is charged.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

LONGER = 5  # times what it is charged, on the clock, is the end in any case
GLANCE = 0.25  # seconds between two readings: what a thread did that came and went between them is not seen

Thread = tuple[int, str]


class Meter:
    """Counts for the processes that `pids()` returns, and their threads, from now on."""

    def __init__(self, pids: Callable[[], Iterable[int]]) -> None:
        self._pids, self._began = pids, time.monotonic()
        self._before = dict(_threads(pids()))
        self._used: dict[Thread, tuple[float, float]] = {}

    def charged(self) -> float:
        """Return the seconds so far: what was computed, at least the time on the clock less the longest wait."""
        for thread, (ran, waited) in _threads(self._pids()):
            earlier = self._before.get(thread, (0.0, 0.0))
            self._used[thread] = ran - earlier[0], waited - earlier[1]
        used = list(self._used.values())  # at once: another thread may read this meter
        computed, waited = sum(ran for ran, _ in used), max((waited for _, waited in used), default=0.0)
        return max(computed, time.monotonic() - self._began - waited)


class Allowance:
    """So many seconds for the processes of `pids()`; on the clock LONGER times as many, until `latest` at most."""

    def __init__(self, pids: Callable[[], Iterable[int]], seconds: float, *, latest: float = float("inf")) -> None:
        self._meter, self._seconds = Meter(pids), seconds
        self._latest = min(latest, time.monotonic() + LONGER * seconds)

    def is_over(self) -> bool:
        """Return whether they are used up."""
        return self.charged() > self._seconds or time.monotonic() > self._latest

    def charged(self) -> float:
        """Return the seconds used so far."""
        return self._meter.charged()


def _threads(pids: Iterable[int]) -> Iterator[tuple[Thread, tuple[float, float]]]:
    """Yield each thread with the seconds that it ran, and that it waited for a core; none where that is unknown."""
    for pid in pids:
        try:
            folders = list(Path(f"/proc/{pid}/task").iterdir())
        except OSError:  # it has ended, or this is no Linux
            continue
        for folder in folders:
            try:
                ran, waited = (folder / "schedstat").read_text(encoding="ascii").split()[:2]
            except (OSError, ValueError):  # it has ended, or the kernel does not count
                continue
            yield (pid, folder.name), (int(ran) / 1e9, int(waited) / 1e9)
