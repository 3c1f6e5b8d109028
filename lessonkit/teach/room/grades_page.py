"""Render the grades as one self-contained HTML page, from the template grades.html.j2."""

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lessonkit.checks.verdict_html import words
from lessonkit.system.templates import templates
from lessonkit.teach.room.rows import Graded
from lessonkit.teach.room.sandbox.isolation import LIMITS

SIGNS = {
    "passed": "✓",
    "not attempted": "○",
    "missing": "·",
    "not judged": "…",
    "not judged here": "?",
    "known mistake": "≠",
}
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


def render(results: Sequence[Graded], head: dict[str, object]) -> str:
    """Return the page: the room by learner, chapter and exercise, the commonest mistakes, then each submission."""
    chapters: dict[str, list[Graded]] = {}
    for one in sorted(results, key=lambda one: one.chapter or "~"):  # what is no chapter's last
        chapters.setdefault(one.chapter, []).append(one)
    mistakes = commonest(results)
    columns = {name: _exercises(of) for name, of in chapters.items()}
    passed, asked = sum(one.passed for one in results), sum(one.counted for one in results)
    shown = {
        "title": f"{len(results)} submissions, {passed} of {asked} exercises passed",
        "chapters": chapters,
        "columns": columns,
        "learners": _by_learner(results),
        "passed_by": {name: {one: _passed(of, one) for one in columns[name]} for name, of in chapters.items()},
        "mistakes": {
            chapter: [(name, mistakes[chapter, name]) for name in names if (chapter, name) in mistakes]
            for chapter, names in columns.items()
        },
        "signs": SIGNS,
        "confined": head["isolation"] != LIMITS.name,
        "limits": dict(_limit(name, value) for name, value in head["limits"].items()),
    }
    shown["totals"] = {
        learner: sum(one.passed for of in theirs.values() for one in of)
        for learner, theirs in shown["learners"].items()
    }
    return _template().render(head=head, **shown)


@functools.cache
def _template():
    """Return the page's template, compiled once: the page is written anew after every submission."""
    pages = templates(Path(__file__).parent)
    pages.filters["by_exercise"] = lambda rows: {row.exercise: row for row in rows}
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
    names = [row.exercise for one in submissions for row in one.rows if row.exercise]
    return list(dict.fromkeys(names))


def _by_learner(results):
    """Return learner -> chapter -> their submissions, by the learners' names."""
    found: dict[str, dict[str, list[Graded]]] = {}
    for one in sorted(results, key=lambda one: one.learner.casefold()):
        found.setdefault(one.learner, {}).setdefault(one.chapter, []).append(one)
    return found


def _passed(submissions, exercise):
    return sum(row.passed for one in submissions for row in one.rows if row.exercise == exercise)


def _limit(name, value):
    said, each, unit = _LIMITS.get(name, (name, 1, ""))
    return said, f"{value / each:g} {unit}".strip()
