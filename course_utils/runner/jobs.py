"""How many chapters run side by side where nobody said: by cores and free memory, with the reason in words."""

from typing import NamedTuple

import psutil

from course_utils.notebook import costs
from course_utils.notebook.catalog import Chapter
from course_utils.runner.environment import usable_cores
from course_utils.system import limits

GIB = 1 << 30  # bytes
LEAST = 4 * GIB  # free memory below which one chapter runs at a time
SPARE = GIB  # for all else on the machine
MOST = 4  # beyond it chapters that start processes of their own would wait for cores


class Jobs(NamedTuple):
    """How many chapters run side by side, and why as many."""

    number: int
    why: str


ONE = Jobs(1, "as asked for")


def choose(names: list[str], device: str, *, cores: int | None = None, free: int | None = None) -> Jobs:
    """Return how many of the chapters `names` run side by side on a `device` of this type.

    Of this machine, unless `cores` and the bytes `free` are given. On a GPU one: they would share its memory.
    """
    cores = usable_cores() if cores is None else cores
    free = free_memory() if free is None else free
    have = f"{cores} {'core' if cores == 1 else 'cores'} and {free / GIB:.1f} GiB of memory free"
    if device != "cpu":
        return Jobs(1, f"on {device} chapters would share one device and its memory")
    if cores < 2:
        return Jobs(1, have)
    if free < LEAST:
        return Jobs(1, f"{have}: from {LEAST // GIB} GiB on, two run side by side")
    number = max(1, min(cores, MOST, len(names)))
    dearest = sorted(costs.memory(names).values(), reverse=True)
    while number > 1 and sum(dearest[:number]) + SPARE > free:
        number -= 1
    return Jobs(number, have)


def longest_first(chapters: list[Chapter]) -> list[Chapter]:
    """Return `chapters` with the longest first, lest the last one be left alone on the machine."""
    seconds = costs.seconds([chapter.name for chapter in chapters])
    return sorted(chapters, key=lambda chapter: -seconds[chapter.name])


def free_memory() -> int:
    """Return the bytes of memory that are free, a container's limit included."""
    return int(min(psutil.virtual_memory().available, limits.memory_limit()))
