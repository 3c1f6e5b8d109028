"""How much memory and disk is free, judged."""

from lessonkit.doctor.facts import Facts
from lessonkit.system.finding import Finding

GIB = 1 << 30  # bytes


def memory(facts: Facts) -> Finding:
    """Return whether enough main memory is free: 3 GiB, and at least 1."""
    fix = "Close other programs, or give the container or virtual machine more memory: 3 GiB free are enough."
    return enough("memory", facts.memory_free, few=3 * GIB, least=GIB, fix=fix)


def shared_memory(facts: Facts) -> Finding:
    """Return whether enough of /dev/shm is free for the workers of a DataLoader: 256 MiB, and at least 16."""
    if facts.shared_memory_free is None:
        return Finding("/dev/shm", "ok", f"not used on {facts.system}")
    fix = (
        "Start the container with `--shm-size=1g`, or set `num_workers=0` where a DataLoader ends with a bus error."
    )
    return enough("/dev/shm", facts.shared_memory_free, few=GIB // 4, least=GIB // 64, fix=fix)


def disk(facts: Facts) -> Finding:
    """Return whether enough of the disk is free: 2 GiB, and at least a quarter."""
    fix = "Free some space on the disk of the course: data, results and recorded runs want 2 GiB."
    return enough("disk", facts.disk_free, few=2 * GIB, least=GIB // 4, fix=fix)


def enough(name: str, free: int, *, few: int, least: int, fix: str) -> Finding:
    """Return a problem where less than `least` bytes are free, a warning where less than `few` are."""
    found = f"{free / GIB:.1f} GiB free" if free >= GIB else f"{free / (1 << 20):.0f} MiB free"
    state = "problem" if free < least else "warning" if free < few else "ok"
    return Finding(name, state, found, "" if state == "ok" else fix)
