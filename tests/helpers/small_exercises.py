"""References of two small exercises, their known mistakes, and answers of each kind; CALLS notes who was called."""

import time

from lessonkit.checks.time_limit import SECONDS, SLOWER

CALLS = []


def half(x):
    """Half of it."""
    CALLS.append("half")
    if x < 0:
        raise ValueError("below zero")
    return x / 2


def floored(x):
    """You took the whole part of the half, which loses the rest."""
    CALLS.append("floored")
    return x // 2


def slow(x):
    CALLS.append("slow")
    time.sleep(2 * SECONDS / SLOWER)
    return x


def two():
    CALLS.append("two")
    return 2


def four():
    """You squared it, and it was to be left as it is."""
    return 4


def numbers(seed):
    return [(seed,), (3,), (0,), (-1,)]


ANSWERS = [half, floored, lambda x: x / 2, lambda x: x, lambda x: 1 / 0, lambda x: None, lambda x: abs(x) / 2, 7]
