"""What a container may use of its machine: torch and psutil see the machine and not these limits."""

import shutil
import sys
from pathlib import Path


def cpu_quota(file: Path = Path("/sys/fs/cgroup/cpu.max")) -> float | None:
    """Return the cores' worth of time that a container may use; None without such a limit."""
    try:
        limit, period = file.read_text().split()
    except (OSError, ValueError):
        return None  # not a container of this kind
    return None if limit == "max" else int(limit) / int(period)


def memory_limit(folder: Path = Path("/sys/fs/cgroup")) -> float:
    """Return the bytes a container may still take, infinite without a limit."""
    try:
        return int((folder / "memory.max").read_text()) - int((folder / "memory.current").read_text())
    except (OSError, ValueError):  # no container, or the word "max"
        return float("inf")


def shared_memory() -> int | None:
    """Return the free bytes in /dev/shm, through which DataLoader workers hand over batches; None where unused."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return shutil.disk_usage("/dev/shm").free
    except OSError:
        return 0
