"""The grades as tables: a row for each exercise, and one row a learner as learning platforms import it."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from lessonkit.notebook.catalog import Chapter
from lessonkit.system.spreadsheet import as_text
from lessonkit.teach.room.tally import Scored, Standing, Tally

FOR_LMS = "grades-for-lms.csv"
_COLUMNS = ("learner", "file", "chapter", "exercise", "further", "state", "mistake", "message", "note", "seconds")
_COLUMNS += ("points", "counts", "by hand", "notes")


def by_exercise(room: Tally) -> str:
    """Return the CSV with a row for each exercise of each submission."""
    return _csv([_COLUMNS, *(_values(one, scored) for one in room.standings for scored in one.rows)])


def for_lms(room: Tally, chapters: Sequence[Chapter], ids: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return the CSV with a row for each learner: points of each chapter, all points, and how many there are.

    A chapter that somebody has handed in nothing of is empty for them, and their total counts it all the same. A
    column says how many answers are not judged yet, where there are any. `ids`: learner -> numbers and logins, by
    which a platform knows them; a column where anybody has one.
    """
    seen = {one.graded.chapter for one in room.counting} | set(room.chapters)
    names = [chapter.name for chapter in chapters if chapter.name in seen]
    names += sorted(seen - {*names, ""})
    known = ids or {}
    column = ("id",) if any(known.values()) else ()
    unjudged = ("not judged yet",) if any(map(room.unjudged_of, room.learners)) else ()
    rows: list[Iterable[object]] = [("learner", *column, *names, "points", "total", *unjudged)]
    for learner, theirs in room.learners.items():
        each = [f"{theirs[name].points:g}" if name in theirs else "" for name in names]
        called = (" ".join(known.get(learner, ())),) if column else ()
        waiting = (room.unjudged_of(learner),) if unjudged else ()
        total = f"{room.points_of(learner):g}", room.possible_of(learner)
        rows.append((learner, *called, *each, *total, *waiting))
    return _csv(rows)


def _csv(rows):
    file = io.StringIO()
    writer = csv.writer(file)
    for row in rows:
        writer.writerow([as_text(value) for value in row])
    return file.getvalue()


def _values(one: Standing, scored: Scored):
    graded, row = one.graded, scored.row
    further = "further" if row.further else ""
    by_hand = "" if scored.override is None else scored.override.reason or "no reason given"
    counts = "yes" if one.counts and scored.counts else "no"
    return (
        graded.learner,
        graded.file,
        graded.chapter,
        row.exercise,
        further,
        row.state,
        row.mistake,
        row.message,
        row.note,
        row.seconds,
        f"{scored.points:g}",
        counts,
        by_hand,
        " ".join((*graded.flags, *graded.notes)),
    )
