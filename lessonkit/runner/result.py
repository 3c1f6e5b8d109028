"""The result of one chapter: begun by its worker, completed by the parent, stored in report.json."""

import dataclasses
from dataclasses import dataclass, field


def _no_exercises() -> dict[str, int]:
    return {"attempted": 0, "passed": 0, "total": 0}


@dataclass(frozen=True, kw_only=True)
class ChapterResult:
    """One chapter's entry in report.json: the fields are its keys, the defaults those of a chapter not run yet."""

    name: str
    status: str = "interrupted"  # or "passed", "failed", "timeout"
    seconds: float = 0.0  # from the start of the chapter's process to its end
    slowest_cell_seconds: float = 0.0
    slowest_cell: str = ""  # `cell 7: first line`
    cells: int = 0
    exercises: dict[str, int] = field(
        default_factory=_no_exercises
    )  # how many were attempted, passed, and are there
    data: dict[str, str] = field(default_factory=dict)  # data set -> "full", "sample", "none" or "damaged"
    error: str | None = "not run"
    notes: list[str] = field(default_factory=list)  # what is no failure: a cell over its goal, or near its limit
    notebook: str = ""  # digest of the chapter's file, and of its asserts, as they were before it ran
    parameters: dict[str, object] = field(default_factory=dict)  # that were injected
    ended: str = ""  # when, in UTC
    kept: bool = False  # taken over by `--resume` from the run in which it `ended`

    @classmethod
    def from_json(cls, entry: dict) -> "ChapterResult":
        """Return the result that `to_json` made `entry` of; keys it does not know are left out.

        Raises TypeError for an entry without a name.
        """
        names = {field.name for field in dataclasses.fields(cls)}
        return cls(**{key: value for key, value in entry.items() if key in names})

    def to_json(self) -> dict[str, object]:
        """Return the result as values that JSON has, in the order of the fields."""
        return dataclasses.asdict(self)

    @property
    def passed(self) -> bool:
        """Whether the chapter has passed."""
        return self.status == "passed"

    @property
    def kept_from(self) -> str:
        """When a chapter that was taken over had run, as people read it; empty for one that ran now."""
        return f"{self.ended[:16].replace('T', ' ')} UTC" if self.kept else ""

    @property
    def data_used(self) -> str:
        """The data as words, `mnist: full`; empty for a chapter that loads no data set."""
        return ", ".join(f"{name}: {source}" for name, source in self.data.items())
