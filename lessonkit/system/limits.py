"""The cores and memory that this process may use. Container limits count, which torch and psutil do not see."""

import os
import shutil
import sys
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
NO_LIMIT = 1 << 60  # bytes: version 1 of control groups writes a number above it where there is no limit


def cores() -> int:
    """Return the number of cores this process may use (an affinity mask is respected where the system has one)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_quota(file: Path = Path("/sys/fs/cgroup/cpu.max")) -> float | None:
    """Return the cores' worth of time that a container may use; None without such a limit."""
    try:
        limit, period = file.read_text().split()
    except (OSError, ValueError):
        return None  # not a container of this kind
    return None if limit == "max" else int(limit) / int(period)


def memory_limit(folder: Path = GROUPS, own: Path = Path("/proc/self/cgroup")) -> float:
    """Return the bytes that this process's control groups leave it, infinite without a limit.

    Both versions of control groups are asked, and the groups around the own one: each limit counts. Pages of files
    that were read and can be dropped at any time count as free, or importing torch would fill a small container.
    """
    return min((_left(group) for group in _groups(folder, own)), default=float("inf"))


def _groups(folder, own):
    """Yield the folders of this process's memory groups: `folder` is where a container shows its own."""
    try:
        lines = own.read_text().splitlines()
    except OSError:  # no Linux
        lines = []
    for line in ["0::/", *lines]:
        _, controllers, name = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        top = folder / "memory" if controllers else folder
        group = top / name.strip("/")
        yield top
        yield from (place for place in (group, *group.parents) if place.is_relative_to(top) and place != top)


def _left(group):
    """Return the bytes that are left of one group's limit, infinite where it has none."""
    for limit, used in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
        try:
            most, taken = int((group / limit).read_text()), int((group / used).read_text())
        except (OSError, ValueError):  # no such group, or the word "max"
            continue
        return max(0, most - taken + _droppable(group)) if most < NO_LIMIT else float("inf")
    return float("inf")


def _droppable(group):
    """Return the bytes of files that the system keeps in memory only as long as nobody needs it."""
    try:
        lines = (group / "memory.stat").read_text().splitlines()
    except OSError:
        return 0
    found = dict(line.split() for line in lines)
    kinds = ("inactive_file", "active_file")
    return sum(int(found.get(f"total_{kind}", found.get(kind, 0))) for kind in kinds)  # total_: of version 1


def shared_memory() -> int | None:
    """Return the free bytes in /dev/shm, through which DataLoader workers hand over batches; None where unused."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return shutil.disk_usage("/dev/shm").free
    except OSError:
        return 0
