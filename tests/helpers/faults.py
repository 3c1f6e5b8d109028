"""A table of faults: what was tried, what survived, what was lost, how long the slowest recovery took.

Each test of tests/faults counts its cases in a Fault, by the fixture `fault`; the table is printed at the end.
COURSE_SOAK=1 (what `make soak` sets) tries as many as were asked for, without it a test takes a short sample.
A row keeps the test, the commit and the day that it comes from: `make soak` goes on by the first of them. What is
kept for everybody is docs/faults.json, and the page of it docs/faults.md; tools/testing/soak.py writes both.
"""

import contextlib
import json
import os
import time
from dataclasses import asdict, dataclass, field

from course_utils import PROJECT

ROWS = PROJECT / "build" / "faults"
SOAK = os.environ.get("COURSE_SOAK", "0") not in ("", "0")
SHOWN = 10  # of what was lost, in the assertion's message


def many(short: int, soak: int) -> int:
    """How many cases to try: `soak` where it was asked for, else `short`."""
    return soak if SOAK else short


@dataclass
class Fault:
    """One row: `fault` in a few words, `goal` the cases that `make soak` is to try."""

    fault: str
    goal: int
    cases: int = 0
    survived: int = 0
    lost: list[str] = field(default_factory=list)
    slowest: float = 0.0  # seconds
    note: str = ""
    test: str = ""  # pytest's name of who counts here
    commit: str = ""
    date: str = ""
    where: str = ""  # the machine, in the record
    soak: bool = SOAK

    @property
    def at_goal(self) -> bool:
        """Nothing was lost, and where `make soak` asked, as many were tried as it is to try."""
        return not self.lost and (not self.soak or self.cases >= self.goal)

    def count(self, lost: str | None = None, *, seconds: float = 0.0) -> None:
        """One case: `lost` says in a sentence what went wrong, `seconds` how long the recovery took."""
        self.cases += 1
        if lost is None:
            self.survived += 1
            self.slowest = max(self.slowest, seconds)
        else:
            self.lost.append(lost)

    @contextlib.contextmanager
    def case(self, name: str):
        """One case, timed, which is lost with an AssertionError."""
        start = time.perf_counter()
        try:
            yield
        except AssertionError as error:
            self.count(f"{name}: {error}")
        else:
            self.count(seconds=time.perf_counter() - start)


def keep(row: Fault) -> None:
    """Write a row for the table, in the place of one of the same name."""
    row.date = row.date or time.strftime("%Y-%m-%d", time.gmtime())
    ROWS.mkdir(parents=True, exist_ok=True)
    name = "".join(letter if letter.isalnum() else "-" for letter in row.fault)
    (ROWS / f"{name}.json").write_text(json.dumps(asdict(row)), encoding="utf-8")


def clear() -> None:
    """Forget the rows of earlier runs."""
    for path in ROWS.glob("*.json"):
        path.unlink()


def rows() -> list[Fault]:
    """The rows that were kept, by name."""
    return [Fault(**json.loads(path.read_text(encoding="utf-8"))) for path in sorted(ROWS.glob("*.json"))]


def table() -> list[str]:
    """The rows that were kept, as the lines of a table."""
    if not (kept := rows()):
        return []
    wide = max(len(row.fault) for row in kept)
    lines = [f"{'fault':{wide}}   cases    goal  survived  lost  slowest recovery"]
    for row in kept:
        goal = f"{row.goal:7}" if row.soak else "   soak"
        line = f"{row.fault:{wide}} {row.cases:7} {goal} {row.survived:9} {len(row.lost):5} {row.slowest:15.2f} s"
        lines.append(f"{line}  {row.note}".rstrip())
    reached = sum(row.at_goal for row in kept)
    total = f"{sum(row.cases for row in kept)} cases, {sum(len(row.lost) for row in kept)} lost"
    lines.append(f"{total}; {reached} of {len(kept)} rows at their goal")
    if len(commits := sorted({row.commit for row in kept if row.commit})) > 1:
        lines.append(f"Seen at {len(commits)} commits: {', '.join(commits)}.")
    return lines
