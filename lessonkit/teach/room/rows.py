"""What is said of one exercise of a submission, and of a submission as a whole: what the report is made of."""

import dataclasses
from dataclasses import dataclass, field

from lessonkit.checks.verdict import STATES

# Beside the states of a check: a process that was ended or ended itself, an exercise without a cell, a file
# that is no notebook, and one whose submission had used up its time before.
ROW_STATES = (*STATES, "ended", "missing", "unreadable", "not judged")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One exercise of one submission. `mistake`: the name of the known one, or the letter chosen."""

    exercise: str
    state: str
    message: str
    further: bool = False
    mistake: str = ""
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether the answer is right."""
        return self.state == "passed"


@dataclass(frozen=True, kw_only=True)
class Graded:
    """One submission, graded. `file`: its path from the folder on; `notes`: what is to be known of it besides."""

    learner: str
    file: str
    sha256: str
    chapter: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = field(default_factory=tuple)
    seconds: float = 0.0

    @property
    def passed(self) -> int:
        """How many exercises are right."""
        return sum(row.passed for row in self.rows)

    def to_json(self) -> dict[str, object]:
        """Return it as values that JSON has."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, entry: dict) -> "Graded":
        """Return what `to_json` made `entry` of. Raises TypeError or KeyError for what it did not make."""
        rows = tuple(Row(**row) for row in entry["rows"])
        return cls(**entry | {"rows": rows, "notes": tuple(entry["notes"])})
