"""Add up a room: which submissions and exercises count, and how many points each learner has.

One learner's chapter counts once, however often it was handed in: `settled` says which file does. An exercise
counts where it was handed out: the manifest of `course release` says so, and without a manifest the room does.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain_text
from lessonkit.teach.room.overrides import Override, Overrides
from lessonkit.teach.room.release import MANIFEST
from lessonkit.teach.room.rows import Graded, Row
from lessonkit.teach.room.settled import file_of


@dataclass(frozen=True)
class Scored:
    """A row with its points; `counts`: whether its exercise was handed out."""

    row: Row
    points: float
    counts: bool
    override: Override | None = None


@dataclass(frozen=True)
class Standing:
    """One submission with its points; `counts`: False where another one of the same learner and chapter does."""

    graded: Graded
    rows: tuple[Scored, ...]
    counts: bool

    @cached_property
    def points(self) -> float:
        """The points of all rows; what was solved and not handed out adds none."""
        return sum(one.points for one in self.rows)

    @property
    def possible(self) -> int:
        """How many points there are: one for each exercise handed out that could be judged, or was by hand."""
        return sum(one.counts and (one.override is not None or one.row.counts) for one in self.rows)


@dataclass(frozen=True)
class Tally:
    """The whole room. `extras`: chapter -> exercises that were not handed out and do not count."""

    standings: tuple[Standing, ...]
    extras: dict[str, tuple[str, ...]]

    @cached_property
    def counting(self) -> list[Standing]:
        """The submissions that count: one for each learner and chapter."""
        return [one for one in self.standings if one.counts]

    @cached_property
    def learners(self) -> dict[str, dict[str, Standing]]:
        """Learner -> chapter -> the submission that counts, by the learners' names, without unknown chapters."""
        names = sorted({one.graded.learner for one in self.standings}, key=lambda name: (name.casefold(), name))
        found: dict[str, dict[str, Standing]] = {name: {} for name in names}
        for one in self.counting:
            if one.graded.chapter:
                found[one.graded.learner][one.graded.chapter] = one
        return found

    def of(self, file: str) -> list[Standing]:
        """Return the standings of one file, one for each chapter in it."""
        return [one for one in self.standings if file_of(one.graded) == file]


def tally(
    results: Sequence[Graded], *, overrides: Overrides, handed_out: Mapping[str, Sequence[str]] | None = None
) -> Tally:
    """Return the room added up; `handed_out`: chapter -> exercises, as `read_manifest` gives them."""
    further = _further_that_counts(results)
    standings, extras = [], {}
    for one in results:
        scored = []
        for row in one.rows:
            if handed_out is not None and one.chapter in handed_out:
                counts = row.exercise in handed_out[one.chapter]
            else:
                counts = not row.further or row.exercise in further.get(one.chapter, ())
            override = overrides.by_row.get((one.learner, one.chapter, row.exercise)) if one.counts else None
            if not counts:
                extras.setdefault(one.chapter, {})[row.exercise] = None
                if row.state in ("missing", "unreadable") and override is None:
                    continue
            points = override.points if override else float(row.passed and counts)
            scored.append(Scored(row, points, counts, override))
        standings.append(Standing(one, tuple(scored), one.counts))
    return Tally(tuple(standings), {chapter: tuple(names) for chapter, names in extras.items()})


def _further_that_counts(results: Iterable[Graded]) -> dict[str, set[str]]:
    """Return chapter -> exercises of *Further* for which at least half of the readable notebooks have a cell."""
    there: dict[str, dict[str, list[bool]]] = {}
    for one in results:
        for row in one.rows:
            if row.further and row.state != "unreadable":
                there.setdefault(one.chapter, {}).setdefault(row.exercise, []).append(row.state != "missing")
    return {
        chapter: {name for name, seen in found.items() if 2 * sum(seen) >= len(seen)}
        for chapter, found in there.items()
    }


def read_manifest(released: Path) -> dict[str, tuple[str, ...]]:
    """Return chapter -> the exercises that `course release` handed out, by its manifest or the folder it lies in.

    Raises `Refused` for a file that is no such manifest.
    """
    path = released / MANIFEST if released.is_dir() else released
    try:
        notebooks = json.loads(read_plain_text(path))["notebooks"]
        # What an earlier release left in the folder has a sum and no chapter.
        return {one["chapter"]: tuple(map(str, one["exercises"])) for one in notebooks.values() if "chapter" in one}
    except FileNotFoundError:
        raise Refused(f"{path} is not there; --released names the folder that `course release` wrote") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Refused(
            f"{path} does not say which exercises were handed out ({type(error).__name__}): release once more with "
            "this version of the course"
        ) from None
