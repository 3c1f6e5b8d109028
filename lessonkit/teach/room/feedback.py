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
from lessonkit.teach.room.counted import and_unjudged, counted
from lessonkit.teach.room.hand_in_notes import is_absence
from lessonkit.teach.room.handed_in import normalised
from lessonkit.teach.room.learner_words import NOTHING_YET, of_file, of_row, plain
from lessonkit.teach.room.rows import Row
from lessonkit.teach.room.signs import SIGNS, in_short
from lessonkit.teach.room.tally import Tally

FOLDER = "feedback"
# An absolute path in a message, of two folders or more: only its last name is shown.
_PATH = re.compile(r"(?<![\w/.:)\]\\])(?:[A-Za-z]:)?(?:[/\\][\w.@+~-]+){2,}(?=[/\\]?)")


def pages(tally: Tally, chapters: Sequence[Chapter]) -> dict[str, str]:
    """Return file's name -> page, for each learner who handed something in."""
    names = list(tally.learners)
    files = file_names(names)
    slugs = {chapter.name: chapter.slug for chapter in chapters}
    return {files[name]: _page(name, names, tally, slugs) for name in names}


def remove_others(folder: Path, wanted: Iterable[str]) -> None:
    """Remove the pages of people who are gone; a file that is no page of ours stays. Raises OSError."""
    for path in folder.glob("*.html"):
        if path.name not in wanted and path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                ours = b"<title>Feedback for " in file.read(1000)
            if ours:
                path.unlink()


def file_names(learners: Iterable[str]) -> dict[str, str]:
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
    standings = [one for one in tally.counting if one.graded.learner == learner and not is_absence(one.graded)]
    again = {one.graded.chapter for one in tally.standings if one.graded.learner == learner and not one.counts}
    chapters = [_chapter(one, slugs, others) | {"again": one.graded.chapter in again} for one in standings]
    there = {one.graded.chapter for one in standings}
    if standings and tally.handed_out is not None:
        chapters += [
            {
                "name": name,
                "points": 0,
                "possible": count,
                "unjudged": 0,
                "rows": (),
                "file": NOTHING_YET,
                "again": False,
            }
            for name, count in tally.chapters.items()
            if name not in there
        ]
    texts = [
        text for one in chapters for row in one["rows"] for text in (row["message"], *row["notes"], row["code"])
    ]
    return _template().render(
        learner=learner,
        chapters=chapters,
        total=tally.points_of(learner),
        possible=tally.possible_of(learner),
        unjudged=tally.unjudged_of(learner),
        nothing=None if standings else NOTHING_YET,
        cells=any(re.search(r"\bcells? \d", text, re.IGNORECASE) for text in texts),
        course=course().title,
        signs=SIGNS,
    )


def _chapter(one, slugs, others):
    """Return what the page says of one chapter; of a file that could not be read, what it is, once."""
    slug = slugs.get(one.graded.chapter, "")
    by_hand = [scored for scored in one.rows if scored.override is not None]
    file, shown = "", one.rows
    if one.rows and all(scored.row.state == "unreadable" for scored in one.rows):
        file, shown = private(of_file(one.rows[0].row.message)), by_hand
    elif all(scored.row.state == "missing" for scored in one.rows) and not one.graded.sha256:
        file, shown = NOTHING_YET, by_hand
    rows = [_shown(scored, one.graded.code, slug, others, alone=bool(file)) for scored in shown]
    said = {"name": one.graded.chapter, "points": one.points, "possible": one.possible, "rows": rows}
    return said | {"unjudged": one.unjudged, "file": file}


def _shown(scored, code, slug, others, *, alone=False):
    row, override = scored.row, scored.override
    notes = [private(plain(note)) for note in filter(None, [row.note]) if not _names_somebody(note, others)]
    return {
        "exercise": row.exercise or "the file",
        "state": row.state,
        "said": in_short(row.state),
        "message": "" if alone else private(of_row(row)),
        "notes": notes,
        "points": scored.points,
        "counts": scored.counts,
        "reason": None if override is None else override.reason or "no reason is noted",
        "code": code.get(row.exercise, ""),
        "hints": () if row.passed or alone else hints_of(slug, row),
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
    found.filters |= {"words": words, "unjudged": and_unjudged, "counted": counted}
    return found.get_template("feedback.html.j2")
