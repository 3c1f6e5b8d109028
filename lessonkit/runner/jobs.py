"""Choose how many chapters run in parallel, by cores and free memory, and say why."""

import math
from typing import NamedTuple

import psutil

from lessonkit.notebook import costs
from lessonkit.notebook.catalog import Chapter
from lessonkit.runner.environment import usable_cores
from lessonkit.system import limits

GIB = 1 << 30  # bytes
LEAST = 4 * GIB  # free memory below which one chapter runs at a time
SPARE = GIB  # for all else on the machine, the runner's own processes too
MOST = 4  # beyond it chapters that start processes of their own would wait for cores


class Jobs(NamedTuple):
    """How many chapters run in parallel, and why."""

    number: int
    why: str


ONE = Jobs(1, "as asked for")


def choose(names: list[str], device: str, *, cores: int | None = None, free: int | None = None) -> Jobs:
    """Return how many of the chapters `names` run side by side on a `device` of this type.

    Of this machine, unless `cores` and the bytes `free` are given. On a GPU one: they would share its memory.
    """
    cores = usable_cores() if cores is None else cores
    free = free_memory() if free is None else free
    if device != "cpu":
        return Jobs(1, f"on {device} chapters would share one device and its memory")
    have = f"{cores} {'core' if cores == 1 else 'cores'}"
    if free is None:
        return Jobs(1, f"{have}, and the system does not say how much memory is free; `--jobs 2` runs two")
    have = f"{have} and {free / GIB:.1f} GiB of memory free"
    if cores < 2:
        return Jobs(1, have)
    if free < LEAST:
        return Jobs(1, f"{have}: from {LEAST // GIB} GiB on, two run side by side")
    wanted = number = max(1, min(cores, MOST, len(names)))
    dearest = sorted(costs.memory(names).values(), reverse=True)
    while number > 1 and sum(dearest[:number]) + SPARE > free:
        number -= 1
    if number < wanted:
        need = (sum(dearest[: number + 1]) + SPARE) / GIB
        have += f": from {math.ceil(10 * need) / 10:.1f} GiB on, {number + 1} run side by side"
    return Jobs(number, have)


def too_little(names: list[str], device: str, *, free: int | None = None) -> str:
    """Return a sentence where one of the chapters `names` alone may need more memory than is free, else nothing.

    It goes by what chapters needed on a CPU, and by the bytes `free`, of this machine unless they are given.
    """
    free = free_memory() if free is None else free
    record = {name: found for name, found in costs.memory_on_record().items() if name in names}
    needs = {
        name: bytes_ for name, bytes_ in costs.memory(list(record)).items() if free is not None and bytes_ > free
    }
    if device != "cpu" or not needs:
        return ""
    numbers = [name.partition("_")[0] for name in needs]
    which = f"chapter {numbers[0]}" if len(numbers) == 1 else f"chapters {', '.join(numbers)}"
    return (
        f"{free / GIB:.1f} GiB of memory are free, and {which} needed up to {max(needs.values()) / GIB:.1f} GiB "
        "where that was measured: close other programs, or the system may end a kernel."
    )


def longest_first(chapters: list[Chapter]) -> list[Chapter]:
    """Return `chapters` with the longest first, so that the longest does not run alone at the end."""
    seconds = costs.seconds([chapter.name for chapter in chapters])
    return sorted(chapters, key=lambda chapter: -seconds[chapter.name])


def free_memory() -> int | None:
    """Return the bytes of memory that are free, a container's limit included; None where nothing says so."""
    try:
        free = psutil.virtual_memory().available
    except (psutil.Error, OSError, ValueError, RuntimeError):  # a /proc that is hidden, say
        return None
    return max(0, int(min(free, limits.memory_limit())))
