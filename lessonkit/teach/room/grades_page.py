"""Render the grades as one self-contained HTML page, from the template grades.html.j2."""

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lessonkit.checks.verdict_html import words
from lessonkit.system.templates import templates
from lessonkit.teach.room.by_hand import looks
from lessonkit.teach.room.counted import and_unjudged, counted
from lessonkit.teach.room.rows import Graded
from lessonkit.teach.room.sandbox.isolation import LIMITS
from lessonkit.teach.room.signs import SIGNS
from lessonkit.teach.room.tally import Standing, Tally

_LIMITS = {  # name in the gradebook -> (what it says on the page, how many of the gradebook's make one, unit)
    "seconds": ("time for each exercise", 1, "s"),
    "memory": ("memory", 2**20, "MB"),
    "processes": ("processes at a time", 1, ""),
    "file": ("largest file", 2**20, "MB"),
    "spare": ("memory left to the machine", 2**20, "MB"),
}


@dataclass(frozen=True)
class Commonest:
    """The mistake that most learners made in one exercise, and what each of them reads."""

    mistake: str
    count: int
    explanation: str


def render(room: Tally, head: dict[str, object], *, troubles: Sequence[str] = (), released: bool = False) -> str:
    """Return the page: what to look at, the room by learner, chapter and exercise, the mistakes, each submission.

    `troubles`: sentences on overrides that could not be applied; `released`: whether a manifest says what counts.
    """
    chapters: dict[str, list[Standing]] = {}
    for one in sorted(room.standings, key=lambda one: one.graded.chapter or "~"):  # what is no chapter's last
        chapters.setdefault(one.graded.chapter, []).append(one)
    counting = {name: [one for one in of if one.counts] for name, of in chapters.items()}
    mistakes = commonest([one.graded for one in room.counting])
    columns = {name: _exercises(of) for name, of in chapters.items()}
    totals = {learner: room.points_of(learner) for learner in room.learners}
    possible, unjudged = (sum(map(each, room.learners)) for each in (room.possible_of, room.unjudged_of))
    files = len(room.standings)
    shown = {
        "title": f"{counted(len(totals), 'learner')}, {counted(files, 'file')}: "
        f"{sum(totals.values()):g} of {counted(possible, 'point')}{and_unjudged(unjudged)}",
        "chapters": chapters,
        "columns": columns,
        "learners": room.learners,
        "people": {name: len({one.graded.learner for one in of}) for name, of in counting.items()},
        "passed_by": {name: {one: _passed(of, one) for one in columns[name]} for name, of in counting.items()},
        "mistakes": {
            chapter: [(name, mistakes[chapter, name]) for name in names if (chapter, name) in mistakes]
            for chapter, names in columns.items()
        },
        "totals": {
            learner: f"{points:g} of {room.possible_of(learner)}{and_unjudged(room.unjudged_of(learner))}"
            for learner, points in totals.items()
        },
        "extras": room.extras,
        "why_extra": "they were not handed out"
        if released
        else "less than half of the room has a cell for them (`course grade --released` says what was handed out)",
        "looks": looks(room),
        "troubles": troubles,
        "signs": SIGNS,
        "confined": head["isolation"] != LIMITS.name,
        "limits": dict(_limit(name, value) for name, value in head["limits"].items()),
    }
    return _template().render(head=head, **shown)


@functools.cache
def _template():
    """Return the page's template, compiled once: the page is written anew after every submission."""
    pages = templates(Path(__file__).parent)
    pages.filters["by_exercise"] = lambda rows: {one.row.exercise: one for one in rows}
    pages.filters |= {"unjudged": and_unjudged, "counted": counted}
    pages.filters["words"] = words  # escaped there, as in a notebook's verdict
    return pages.get_template("grades.html.j2")


def commonest(results: Sequence[Graded]) -> dict[tuple[str, str], Commonest]:
    """Return for each (chapter, exercise) the known mistake that most submissions made, if any."""
    made: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for one in results:
        for row in one.rows:
            if row.state == "known mistake":
                made.setdefault((one.chapter, row.exercise), Counter())[row.mistake, row.message] += 1
    found = {key: counter.most_common(1)[0] for key, counter in made.items()}
    return {key: Commonest(mistake, count, words) for key, ((mistake, words), count) in found.items()}


def _exercises(submissions):
    """Return the names of a chapter's exercises, in the order of its first submission that names any."""
    names = [scored.row.exercise for one in submissions for scored in one.rows if scored.row.exercise]
    return list(dict.fromkeys(names))


def _passed(submissions, exercise):
    return sum(scored.row.passed for one in submissions for scored in one.rows if scored.row.exercise == exercise)


def _limit(name, value):
    said, each, unit = _LIMITS.get(name, (name, 1, ""))
    return said, f"{value / each:g} {unit}".strip()
