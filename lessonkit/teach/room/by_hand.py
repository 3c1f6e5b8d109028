"""The list of what an instructor should look at by hand before marks are given."""

from collections.abc import Iterator
from dataclasses import dataclass

from lessonkit.checks.verdict import STATES
from lessonkit.teach.room.answer_code import same_text
from lessonkit.teach.room.overrides import NAME
from lessonkit.teach.room.settled import SAME_TEXT
from lessonkit.teach.room.tally import Scored, Standing, Tally

_DECIDED = (set(STATES) - {"raised"}) | {"missing"}  # verdicts that need nobody; every other state is looked at
_UNTRIED = ("not attempted", "missing", "unreadable")
_WHY = {
    "raised": "The answer raised an error here. It may have passed in the learner's own notebook.",
    "unreadable": "The file could not be read, so nothing in it was judged.",
    "ended": "The process of the answer ended before the check did.",
    "not judged": "This machine or the course kept it from being judged; it says nothing about the answer.",
}


@dataclass(frozen=True)
class Look:
    """One thing to look at. `file`: of the submission to open, empty where several are concerned."""

    learners: tuple[str, ...]
    chapter: str
    exercise: str
    why: str
    file: str = ""


def looks(tally: Tally) -> list[Look]:
    """Return what to look at, row by row first, then what files have in common."""
    rows = [look for one in tally.counting for look in _of_rows(one)]
    return [*rows, *_notes(tally), *_alike(tally)]


def _of_rows(one: Standing) -> Iterator[Look]:
    graded = one.graded
    for scored in one.rows:
        row = scored.row
        if scored.override is not None:  # somebody has looked
            if why := _of_override(scored):
                yield Look((graded.learner,), graded.chapter, row.exercise, why, graded.file)
            continue
        why = [row.note] if row.note else []
        if row.state == "not judged here":
            why.insert(0, row.message)
        elif row.state not in _DECIDED:
            why.insert(0, _WHY.get(row.state, f"Its state is “{row.state}”."))
        if why:
            yield Look((graded.learner,), graded.chapter, row.exercise, " ".join(why), graded.file)
            if row.state == "unreadable":
                return  # once for the file, not for each of its exercises


def _of_override(scored: Scored) -> str:
    """Return what is odd about points by hand; empty where nothing is."""
    points, line, words = scored.points, f"{NAME}, line {scored.override.line}", []
    if scored.for_another_file:
        words.append(
            f"{line}, was written for another file: it gives {points:g}, and the check gives "
            f"{scored.by_check:g} for the one that was handed in since. The line is applied; "
            "change it, or take it out."
        )
    if points > 1:
        words.append(f"{line}, gives {points:g} points for one exercise, for which the check gives 1 at most.")
    return " ".join(words)


def _notes(tally: Tally) -> Iterator[Look]:
    said: dict[tuple[str, str], list[str]] = {}
    for one in tally.counting:
        for note in (*one.graded.flags, *one.graded.notes):
            if not note.startswith(SAME_TEXT):  # of which `_alike` makes one line for all whom it concerns
                said.setdefault((one.graded.chapter, note), []).append(one.graded.learner)
    for (chapter, note), learners in said.items():
        yield Look(tuple(learners), chapter, "", note)


def _alike(tally: Tally) -> Iterator[Look]:
    by_chapter: dict[str, list[Standing]] = {}
    for one in tally.standings:
        by_chapter.setdefault(one.graded.chapter, []).append(one)
    for chapter, those in by_chapter.items():
        whole: dict[str, set[str]] = {}
        for one in those:
            if any(note.startswith(SAME_TEXT) for note in one.graded.flags):
                whole.setdefault(one.graded.own, set()).add(one.graded.learner)
        for group in whole.values():
            why = "All their answers are the same but for spaces: a pair, a copy, or our solution."
            yield Look(tuple(sorted(group, key=str.casefold)), chapter, "", why)
        for exercise in dict.fromkeys(each.row.exercise for one in those for each in one.rows):
            codes = [
                (one.graded.learner, one.graded.code.get(exercise, ""))
                for one in those
                if any(each.row.exercise == exercise and each.row.state not in _UNTRIED for each in one.rows)
            ]
            for group in same_text(codes):
                if not any(set(group) <= alike for alike in whole.values()):
                    why = "Their answers are the same but for spaces and comments: a pair, a copy, or our solution."
                    yield Look(tuple(group), chapter, exercise, why)
