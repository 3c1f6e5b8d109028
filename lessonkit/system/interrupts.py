"""Handle Ctrl-C at any moment of a command, without a traceback and without leaving work half done."""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator

NAMES = ("SIGINT", "SIGTERM", "SIGBREAK")  # that ask a command to stop; the last one is Windows' own
CODE = 130  # exit status, as shells have it


def _handle(handler):
    """Set `handler` for each signal to stop that would now be a KeyboardInterrupt; return what to set back."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    found = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    before = {one: signal.getsignal(one) for one in found}
    if before[signal.SIGINT] in (signal.SIG_IGN, None):
        return {}
    return {one: signal.signal(one, handler) for one in found}


def leave_with(sentence: str) -> None:
    """From now on let a signal to stop write `sentence` and end this process at once: before it has begun anything.

    An exception would not do while torch is imported: some of the code that runs then swallows it.
    """

    def leave(number, frame):
        try:
            os.write(2, f"\n{sentence}\n".encode())
        finally:
            os._exit(CODE)

    _handle(leave)


def ignore() -> None:
    """From now on ignore signals to stop, because everything is done and printed."""
    _handle(signal.SIG_IGN)


@contextlib.contextmanager
def held() -> Iterator[Callable[[], bool]]:
    """Hold signals to stop back during the block; yield a function that returns whether one has come."""
    seen: list[int] = []
    before = _handle(lambda number, frame: seen.append(number))
    try:
        yield lambda: bool(seen)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
