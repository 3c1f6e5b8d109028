"""Send reports from a background thread: a check queues them and goes on; undeliverable ones are dropped."""

import atexit
import os
from collections import deque
from threading import Event, Thread
from time import monotonic

from lessonkit.reporting import client
from lessonkit.reporting.membership import Membership

MOST = 500  # reports that wait; more push out the oldest
GAP = 0.5  # seconds between two requests: what comes meanwhile goes together
PAUSE, LONGEST_PAUSE = 5.0, 60.0  # seconds without a try after a failure, doubled each time
AT_THE_END = 0.5  # seconds that a kernel which ends gives to its last reports


class Reporter:
    """Tells the page of one membership. `trouble`: why the page is not told at present, empty while all is well."""

    def __init__(self, membership: Membership) -> None:
        self.membership, self.trouble = membership, ""
        self._queue: deque[dict] = deque(maxlen=MOST)
        self._wake, self._hurry, self._idle = Event(), Event(), Event()
        self._thread: Thread | None = None
        self._known, self._not_before, self._pause = False, 0.0, PAUSE
        self._process = os.getpid()

    def put(self, event: dict) -> None:
        """Put a report down and return at once; never waits for the page."""
        if os.getpid() != self._process:  # a fork has no thread, and perhaps a lock that nobody opens
            return
        self._queue.append(event)
        self._idle.clear()
        if self._thread is None or not self._thread.is_alive():
            self._begin()
        self._wake.set()

    def finish(self, patience: float = AT_THE_END) -> bool:
        """Wait until all has been sent or dropped, at most so many seconds; return whether it has."""
        if self._thread is None or os.getpid() != self._process:
            return True
        self._hurry.set()
        return self._idle.wait(patience)

    def stop(self) -> None:
        """Drop what waits and send nothing any more."""
        self._queue.clear()
        self._not_before = float("inf")
        self._hurry.set()
        self._wake.set()
        atexit.unregister(self.finish)

    def _begin(self):
        if self._thread is None:
            atexit.register(self.finish)
        self._thread = Thread(target=self._run, name="course-classroom", daemon=True)
        self._thread.start()

    def _run(self):
        while self._not_before < float("inf"):
            self._wake.wait()
            self._wake.clear()
            while self._queue:
                if monotonic() < self._not_before:
                    self._queue.clear()
                    break
                batch = [self._queue.popleft() for _ in range(min(len(self._queue), client.MOST_EVENTS))]
                self._send(batch)
                self._hurry.wait(GAP)
            self._hurry.clear()
            self._idle.set()

    def _send(self, batch):
        try:
            if not self._known:
                client.greet(self.membership)
            client.send(self.membership, batch)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is said at the next check; the thread lives
            why = str(error) if isinstance(error, client.Away) else f"{type(error).__name__}: {error}"
            self.trouble, self._known = why, False
            self._not_before = max(self._not_before, monotonic() + self._pause)
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
        else:
            self.trouble, self._known, self._pause = "", True, PAUSE
