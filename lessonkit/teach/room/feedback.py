"""One page for each learner, to send back: verdicts, hints and their own code, and nothing of anybody else's."""

import functools
import importlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from lessonkit.checks.verdict_html import words
from lessonkit.notebook.catalog import Chapter
from lessonkit.system.course import course
from lessonkit.system.redact import discreet
from lessonkit.system.templates import templates
from lessonkit.teach.room.handed_in import normalised
from lessonkit.teach.room.rows import Row
from lessonkit.teach.room.signs import SIGNS, in_short
from lessonkit.teach.room.tally import Tally

FOLDER = "feedback"
# An absolute path in a message, of two folders or more: only its last name is shown.
_PATH = re.compile(r"(?<![\w/.:)\]\\])(?:[A-Za-z]:)?(?:[/\\][\w.@+~-]+){2,}(?=[/\\]?)")


def pages(tally: Tally, chapters: Sequence[Chapter]) -> dict[str, str]:
    """Return file's name -> page, for each learner who handed something in."""
    names = list(tally.learners)
    files = _file_names(names)
    slugs = {chapter.name: chapter.slug for chapter in chapters}
    return {files[name]: _page(name, names, tally, slugs) for name in names}


def _file_names(learners: Iterable[str]) -> dict[str, str]:
    """Return learner -> the name of a file that every system takes, and that differs in more than large letters."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for learner in learners:
        name, number = normalised(learner), 1
        while (wanted := f"{name}-{number}" if number > 1 else name).casefold() in taken:
            number += 1
        taken.add(wanted.casefold())
        found[learner] = f"{wanted}.html"
    return found


def _page(learner, names, tally, slugs):
    others = [name for name in names if name != learner]
    chapters = []
    standings = [one for one in tally.counting if one.graded.learner == learner]
    again = {one.graded.chapter for one in tally.standings if one.graded.learner == learner and not one.counts}
    for one in standings:
        slug = slugs.get(one.graded.chapter, "")
        rows = [_shown(scored, one.graded.code, slug, others) for scored in one.rows]
        said = {"name": one.graded.chapter, "points": one.points, "possible": one.possible, "rows": rows}
        chapters.append(said | {"again": one.graded.chapter in again})
    total, possible = sum(one.points for one in standings), sum(one.possible for one in standings)
    return _template().render(
        learner=learner, chapters=chapters, total=total, possible=possible, course=course().title, signs=SIGNS
    )


def _shown(scored, code, slug, others):
    row, override = scored.row, scored.override
    notes = [private(note) for note in filter(None, [row.note]) if not _names_somebody(note, others)]
    return {
        "exercise": row.exercise or "the file",
        "state": row.state,
        "said": in_short(row.state),
        "message": private(row.message),
        "notes": notes,
        "points": scored.points,
        "counts": scored.counts,
        "reason": None if override is None else override.reason or "no reason is noted",
        "code": code.get(row.exercise, ""),
        "hints": () if row.passed else hints_of(slug, row),
    }


def private(message: str) -> str:
    """Return a message without the folders, the user and the host of the machine that graded.

    >>> private("File /home/an/room/lib/nn.py, line 3: 1/2 of it")
    'File …/nn.py, line 3: 1/2 of it'
    """
    return _PATH.sub(lambda found: "…/" + re.split(r"[/\\]", found[0])[-1], discreet(message))


def _names_somebody(note: str, others: Iterable[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", note, re.IGNORECASE) for name in others)


@functools.cache
def _exercises(slug: str):
    try:
        return importlib.import_module(f"{course().exercises}.{slug}") if slug else None
    except ImportError:  # a chapter without exercises
        return None


def hints_of(slug: str, row: Row) -> tuple[str, ...]:
    """Return the hints of an exercise, none for a question with letters."""
    return tuple(getattr(getattr(_exercises(slug), row.exercise, None), "hints", ()))


@functools.cache
def _template():
    found = templates(Path(__file__).parent)
    found.filters["words"] = words
    return found.get_template("feedback.html.j2")
