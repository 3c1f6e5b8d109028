"""The recorded cost of executing each chapter: its seconds and its memory, on the machine named in the record.

Seconds come from the course's tools/testing/durations.json, by which CI divides the chapters; memory, and how fast
that machine is, from costs.json beside it. A course need not have either file. A chapter without a record counts as
the dearest one; of memory, 1.5 GiB are assumed at least.
"""

import json
from pathlib import Path

from lessonkit.system import atomic
from lessonkit.system.place import PROJECT

DURATIONS = PROJECT / "tools" / "testing" / "durations.json"
COSTS = DURATIONS.with_name("costs.json")
MIB = 1 << 20  # bytes
UNKNOWN = 1536  # MiB, of a chapter without a record


def seconds(names: list[str], durations: Path = DURATIONS) -> dict[str, float]:
    """Return the seconds that each of the chapters `names` took where they were recorded."""
    there = _read(durations)
    return {name: there.get(name, max(there.values(), default=60.0)) for name in names}


def seconds_here(names: list[str], measured: float) -> dict[str, float]:
    """Return the seconds that each of the chapters `names` takes where `machine.work_seconds` says `measured`.

    They are the recorded ones, by the ratio of the two machines' `work_seconds`. Empty without a record of those.
    """
    recorded = work_seconds()
    return {name: value * measured / recorded for name, value in seconds(names).items()} if recorded else {}


def memory(names: list[str], costs: Path = COSTS) -> dict[str, int]:
    """Return the bytes that each of the chapters `names` needs at most: its kernel and the processes it starts."""
    there = {name: max(found["mib"].values()) for name, found in memory_on_record(costs).items()}
    unknown = max([UNKNOWN, *there.values()])
    return {name: there.get(name, unknown) * MIB for name in names}


def memory_on_record(costs: Path = COSTS) -> dict[str, dict]:
    """Return what is on record of each chapter's memory.

    `mib`: {"untouched" or "solved": the most MiB that its kernel and the processes that this starts had at one
    time}; `on`: machine, torch and data, in words.
    """
    return _read(costs).get("memory", {})


def work_seconds(costs: Path = COSTS) -> float | None:
    """Return what `machine.work_seconds` says where the durations were recorded; None without a record."""
    return _read(costs).get("work_seconds")


def keep_memory(name: str, mib: dict[str, float], *, on: str, costs: Path = COSTS) -> None:
    """Store the memory that a chapter was measured to need: {"untouched" or "solved": MiB}, and where."""
    there = memory_on_record(costs)
    before = there.get(name, {})
    kept = before["mib"] if before.get("on") == on else {}  # figures of two machines are no row
    found = {"mib": kept | {answers: round(value) for answers, value in mib.items()}, "on": on}
    _keep(costs, memory=dict(sorted((there | {name: found}).items())))


def keep_work_seconds(seconds: float, costs: Path = COSTS) -> None:
    """Store what `machine.work_seconds` returned on the machine of the durations."""
    _keep(costs, work_seconds=seconds)


def _keep(costs, **new):
    atomic.write(costs, (json.dumps(_read(costs) | new, indent=1) + "\n").encode())


def _read(record):
    return json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
