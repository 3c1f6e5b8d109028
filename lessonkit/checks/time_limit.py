"""Run code under a time limit, in this process and on every platform, even if the code never ends."""

import contextlib
import ctypes
import sys
import threading
import time
from collections.abc import Callable
from typing import Literal

Ending = Literal["finished", "stopped", "runaway", "left"]

SECONDS = 1.0  # the least time limit of an answer, for all its inputs together
SLOWER = 20  # the limit is so many times the reference's own time, if that is longer: a busy machine is slow
# Bound here, before any answer runs: it may put functions of its own in their places.
_frames, _alive, _join = sys._current_frames, threading.Thread.is_alive, threading.Thread.join
_now = time.perf_counter
_LONGEST_IMPORT = 60  # seconds
_TOLERATED = {"tqdm._monitor"}  # threads of these modules may outlast an answer: its progress bar starts one


class OutOfTime(BaseException):
    """Raised inside the code that ran too long; a BaseException, so that `except Exception` cannot keep it."""


def run_with_limit(
    work: Callable[[], object], *, seconds: float | None = None, clock: Callable[[], float] = _now
) -> Ending:
    """Run `work()` in a thread of its own, give up after a while, and return how it ended.

    "finished"; "stopped": it ran too long and was ended; "runaway": it ran too long inside one call that Python
    cannot interrupt, and goes on in the background; "left": it has ended, a thread that it started has not.
    `seconds`: patience before the first attempt to end it, None for code of ours, as `clock` counts them; ending it
    takes at most half a second more, and an import that the work has caused is waited for. `work` hands its results
    over itself and must catch its own errors.
    """

    def guarded():
        with contextlib.suppress(OutOfTime):
            work()

    # A thread and an exception thrown into it, because signals work on the main thread of POSIX systems only
    # and another process could not run a function that was defined in a notebook cell.
    before, loaded, latest = set(_frames()), len(sys.modules), _now() + _LONGEST_IMPORT
    thread = threading.Thread(target=guarded, daemon=True)
    thread.start()
    try:
        _join_for(thread, seconds, clock)
        # PyTorch puts off imports that take seconds, to the first optimizer for example. That is not the work's
        # fault, and a module whose import is broken off cannot be used in this process any more.
        while seconds is not None and _now() < latest and (len(sys.modules) > loaded or _importing(thread)):
            loaded = len(sys.modules)
            _join_for(thread, seconds, clock)
    except KeyboardInterrupt:  # the interrupt is meant for the work
        _end({thread.ident})
        raise
    if seconds is None:
        return "finished"
    if _alive(thread):
        return "stopped" if _end({thread.ident}) else "runaway"
    for _ in range(10):  # one that is about to end may do so
        left = _strangers(before)
        if not left:
            return "finished"
        time.sleep(0.005)
    _end(left)
    return "left"


def _join_for(thread, seconds, clock):
    until = clock() + (seconds or 0.0)
    _join(thread, seconds)
    while seconds is not None and _alive(thread) and (left := until - clock()) > 0:  # a clock that goes slower
        _join(thread, left)


def _importing(thread):
    frame = _frames().get(thread.ident)
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


def _strangers(before):
    monitors = {thread.ident for thread in threading.enumerate() if type(thread).__module__ in _TOLERATED}
    return set(_frames()) - before - monitors


def _end(idents):
    """Throw OutOfTime into these threads until they have ended; whether they have."""
    for _ in range(20):  # again and again: `while True: try: ... except BaseException: pass` swallows the first
        for ident in idents:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(OutOfTime))
        time.sleep(0.025)
        if not idents & set(_frames()):
            return True
    return False


def too_slow(where: str, ending: str, seconds: float) -> str:
    """Say that there was no answer in time, on which input, and what to do about one that goes on."""
    message = f"No answer within {seconds:.2g} s: a loop that never ends, or far too many steps?\n{where}"
    if ending == "runaway":
        message += "\nIt could not be stopped and still runs in the background. Restart the kernel."
    return message
