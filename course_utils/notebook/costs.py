"""What each chapter costs to execute: seconds and memory, as they were measured on the machine named there.

Seconds come from tools/testing/durations.json, by which CI divides the chapters; memory, and how fast that machine
is, from costs.json beside this module. A chapter without a record counts as the dearest one; where no memory is on
record at all, 1.5 GiB are assumed.
"""

import json
from pathlib import Path

from course_utils import PROJECT

COSTS = Path(__file__).with_name("costs.json")
DURATIONS = PROJECT / "tools" / "testing" / "durations.json"
MIB = 1 << 20  # bytes


def seconds(names: list[str], durations: Path = DURATIONS) -> dict[str, float]:
    """Return the seconds that each of the chapters `names` took where they were recorded."""
    there = json.loads(durations.read_text(encoding="utf-8")) if durations.exists() else {}
    return {name: there.get(name, max(there.values(), default=60.0)) for name in names}


def memory(names: list[str], costs: Path = COSTS) -> dict[str, int]:
    """Return the bytes that each of the chapters `names` needs at most, all of its processes together."""
    there = json.loads(costs.read_text(encoding="utf-8"))["mib"]
    return {name: there.get(name, max(there.values(), default=1536)) * MIB for name in names}


def work_seconds(costs: Path = COSTS) -> float:
    """Return what `machine.work_seconds` says where the durations were recorded."""
    return json.loads(costs.read_text(encoding="utf-8"))["work_seconds"]


def keep_memory(name: str, mib: float, costs: Path = COSTS) -> None:
    """Keep the memory that a chapter was seen to need, in MiB."""
    mib_of = json.loads(costs.read_text(encoding="utf-8"))["mib"]
    _keep(costs, mib=dict(sorted((mib_of | {name: round(mib)}).items())))


def keep_work_seconds(seconds: float, costs: Path = COSTS) -> None:
    """Keep what `machine.work_seconds` said where the durations come from."""
    _keep(costs, work_seconds=seconds)


def _keep(costs, **new):
    found = json.loads(costs.read_text(encoding="utf-8"))
    costs.write_text(json.dumps(found | new, indent=1) + "\n", encoding="utf-8")
