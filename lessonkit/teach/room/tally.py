"""Add up a room: which submissions and exercises count, and how many points each learner has.

One learner's chapter counts once, however often it was handed in: `settled` says which file does. An exercise
counts where it was handed out: the manifest of `course release` says so, and without a manifest the room does.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain_text
from lessonkit.teach.room.counted import and_unjudged
from lessonkit.teach.room.overrides import Override, Overrides
from lessonkit.teach.room.release import MANIFEST
from lessonkit.teach.room.rows import Graded, Row
from lessonkit.teach.room.settled import SEVERAL, file_of


@dataclass(frozen=True)
class Scored:
    """A row with its points; `counts`: whether its exercise was handed out.

    `by_check`: the points that the check gives; `for_another_file`: whether the override was applied first to
    another file and takes points from this one.
    """

    row: Row
    points: float
    counts: bool
    override: Override | None = None
    by_check: float = 0.0
    for_another_file: bool = False


@dataclass(frozen=True)
class Standing:
    """One submission with its points; `counts`: False where another one of the same learner and chapter does.

    `handed_out`: how many exercises of its chapter were, where a release says so.
    """

    graded: Graded
    rows: tuple[Scored, ...]
    counts: bool
    handed_out: int | None = None

    @cached_property
    def points(self) -> float:
        """The points of all rows; what was solved and not handed out adds none."""
        return sum(one.points for one in self.rows)

    @property
    def possible(self) -> int:
        """How many points there are: the exercises handed out, or what was judged where no release says which."""
        if self.handed_out is not None:
            return self.handed_out
        return sum(one.counts and (one.override is not None or one.row.counts) for one in self.rows)

    @property
    def unjudged(self) -> int:
        """How many answers have neither a verdict nor points by hand."""
        return sum(one.counts and one.override is None and not one.row.counts for one in self.rows)


@dataclass(frozen=True)
class Tally:
    """The whole room. `extras`: chapter -> exercises that were not handed out and do not count.

    `handed_out`: chapter -> exercises, as a release says; None without one.
    """

    standings: tuple[Standing, ...]
    extras: dict[str, tuple[str, ...]]
    handed_out: Mapping[str, Sequence[str]] | None = None

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

    @cached_property
    def chapters(self) -> dict[str, int]:
        """Chapter -> the points that there are for it: those handed out, or those that anybody handed in."""
        found: dict[str, int] = {name: len(those) for name, those in (self.handed_out or {}).items()}
        for one in self.counting if self.handed_out is None else ():
            if name := one.graded.chapter:
                found[name] = max(found.get(name, 0), one.possible)
        return found

    def points_of(self, learner: str) -> float:
        """Return all points of a learner."""
        return sum(one.points for one in self.learners[learner].values())

    def possible_of(self, learner: str) -> int:
        """Return how many points there are for a learner; with a release it is the same number for everybody."""
        theirs = self.learners[learner]
        return sum(theirs[name].possible if name in theirs else most for name, most in self.chapters.items())

    def unjudged_of(self, learner: str) -> int:
        """Return how many of a learner's answers have neither a verdict nor points by hand."""
        return sum(one.unjudged for one in self.learners[learner].values())

    def of(self, file: str) -> list[Standing]:
        """Return the standings of one file, one for each chapter in it."""
        return [one for one in self.standings if file_of(one.graded) == file]


def tally(
    results: Sequence[Graded],
    *,
    overrides: Overrides,
    handed_out: Mapping[str, Sequence[str]] | None = None,
    written_for: Mapping[Override, str] | None = None,
) -> Tally:
    """Return the room added up; `handed_out`: chapter -> exercises, as `read_manifest` gives them.

    `written_for`: override -> the sum of the file to which it was applied first.
    """
    further, first = _further_that_counts(results), written_for or {}
    standings, extras = [], {}
    for one in results:
        scored = []
        for row in one.rows:
            if handed_out is not None:
                counts = row.exercise in handed_out.get(one.chapter, ()) or not one.chapter
            else:
                counts = not row.further or row.exercise in further.get(one.chapter, ())
            override = overrides.by_row.get((one.learner, one.chapter, row.exercise)) if one.counts else None
            if not counts:
                extras.setdefault(one.chapter, {})[row.exercise] = None
                if row.state in ("missing", "unreadable") and override is None:
                    continue
            by_check = float(row.passed and counts)
            points = override.points if override else by_check
            another = override is not None and points < by_check and first.get(override, one.sha256) != one.sha256
            scored.append(Scored(row, points, counts, override, by_check, another))
        out = None if handed_out is None or not one.chapter else len(handed_out.get(one.chapter, ()))
        standings.append(Standing(one, tuple(scored), one.counts, out))
    extra = {chapter: tuple(names) for chapter, names in extras.items()}
    return Tally(tuple(_with_the_others(standings)), extra, handed_out)


def _with_the_others(standings: Sequence[Standing]) -> list[Standing]:
    """Return the standings; the note on the one of several hand-ins that counts says what the others have."""
    others: dict[tuple[str, str], list[str]] = {}
    for one in standings:
        if not one.counts:
            score = f"{one.points:g} of {one.possible}{and_unjudged(one.unjudged)}"
            others.setdefault((one.graded.learner, one.graded.chapter), []).append(score)
    found = []
    for one in standings:
        scores = others.get((one.graded.learner, one.graded.chapter), ()) if one.counts else ()
        if scores:
            have = "The other one has" if len(scores) == 1 else "The others have"
            flags = (
                f"{flag} {have} {' and '.join(scores)}." if flag.startswith(SEVERAL) else flag
                for flag in one.graded.flags
            )
            one = replace(one, graded=replace(one.graded, flags=tuple(flags)))
        found.append(one)
    return found


def _further_that_counts(results: Iterable[Graded]) -> dict[str, set[str]]:
    """Return chapter -> exercises of *Further* for which at least half of the readable notebooks have a cell."""
    there: dict[str, dict[str, list[bool]]] = {}
    for one in results:
        for row in one.rows:
            if row.further and row.state != "unreadable" and one.sha256:  # without a sum, nothing was handed in
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
