"""A time limit for code that cannot be trusted to end, in this process, on every platform."""

import contextlib
import ctypes
import threading


class OutOfTime(BaseException):
    """Raised inside the code that ran too long; a BaseException, so that `except Exception` cannot keep it."""


def run_with_limit(work, *, seconds):
    """Run `work()` in a thread of its own and give up after a while.

    Returns "finished", "stopped" (it ran too long and was ended) or "runaway" (it ran too long inside one call
    that Python cannot interrupt, and goes on in the background). `seconds`: patience before the first attempt
    to end it; ending it takes at most half a second more. `work` hands its results over by itself and must
    catch its own errors.
    """

    def guarded():
        with contextlib.suppress(OutOfTime):
            work()

    # A thread and an exception thrown into it, because signals work on the main thread of POSIX systems only
    # and another process could not run a function that was defined in a notebook cell.
    thread = threading.Thread(target=guarded, daemon=True)
    thread.start()
    thread.join(seconds)
    if not thread.is_alive():
        return "finished"
    for _ in range(20):  # again and again: `while True: try: ... except BaseException: pass` swallows the first
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(OutOfTime))
        thread.join(0.025)
        if not thread.is_alive():
            return "stopped"
    return "runaway"
