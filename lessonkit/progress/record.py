"""Record each check in the database, and read from it how the learner stands with each exercise."""

import sqlite3
from collections.abc import Callable
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from lessonkit.progress.database import (
    PATIENCE,
    Damaged,
    NotKept,
    connected,
    connected_to_read,
    dated,
    set_aside,
)
from lessonkit.system import atomic

FILE = Path(".course") / "progress.sqlite3"  # in the folder of the copies
INSERT = "INSERT INTO notes (chapter, exercise, kind, state, mistake, seconds, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
# SQLite takes a column without an aggregate from the row of the `max`: the latest one.
STANDINGS = """
WITH verdicts AS (
    SELECT max(id) AS id, chapter, exercise, state, mistake, seconds FROM notes WHERE state IS NOT NULL
    GROUP BY chapter, exercise
), totals AS (
    SELECT max(id) AS id, at, chapter, exercise,
        total(state = 'passed') AS passed, total(state <> 'not attempted') AS tries,
        total(kind = 'hint') AS hints, total(kind = 'solution') AS solutions
    FROM notes GROUP BY chapter, exercise
)
SELECT chapter, exercise, passed > 0, state, mistake, CAST(tries AS INTEGER), CAST(hints AS INTEGER),
    solutions > 0, seconds, at
FROM totals LEFT JOIN verdicts USING (chapter, exercise) ORDER BY totals.id
"""


@dataclass(frozen=True)
class Entry:
    """One line of the record; its fields are the columns that `database.SCHEMA` explains, `at` is now."""

    chapter: str
    exercise: str
    kind: str
    state: str | None = None
    mistake: str | None = None
    seconds: float = 0.0
    at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))


@dataclass(frozen=True)
class Standing:
    """Where a learner stands with one exercise.

    `passed`: once at least. `state`, `mistake`, `seconds`: of the latest check, None where none was made. `tries`:
    checks with an answer. `hints`: how often one was asked for. `solution`: ours was looked at. `at`: of the latest
    note, ISO 8601, UTC.
    """

    chapter: str
    exercise: str
    passed: bool
    state: str | None
    mistake: str | None
    tries: int
    hints: int
    solution: bool
    seconds: float | None
    at: str


def note(path: Path, *entries: Entry, warn: Callable[[str], None]) -> list[Standing]:
    """Write entries, all or none, and return how all exercises stand then, the one noted latest last.

    A damaged file is set aside, with the date in its name, and a new one begun; `warn` gets the sentence about it.
    Raises `NotKept`.
    """
    rows = [astuple(entry) for entry in entries]
    try:
        return _note(path, rows)
    except Damaged:
        return _note_anew(path, rows, warn)


def _note(path, rows):
    with connected(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(INSERT, rows)
        standings = _standings(connection)  # before the end, so that damage which spares the writing is noticed
        connection.execute("COMMIT")
        return standings


def _note_anew(path, rows, warn):
    from filelock import FileLock, Timeout  # for the rare case only: the first check waits for this module

    try:
        with FileLock(path.with_suffix(".lock"), timeout=PATIENCE):
            try:
                return _note(path, rows)  # another kernel may have set it aside since
            except Damaged as error:
                aside = set_aside(path)
                warn(f"{error} It is called {aside.name} now and no longer counts; a new one is begun.")
                return _note(path, rows)
    except (Timeout, OSError) as error:
        raise NotKept(f"{path} is damaged and cannot be renamed ({error}); delete it yourself.") from error


def read(path: Path) -> list[Standing]:
    """Return how all exercises stand, the one noted latest last; none where nothing is noted. Raises `NotKept`."""
    with connected_to_read(path) as connection:
        return _standings(connection) if connection else []


def forget(path: Path) -> Path | None:
    """Remove all notes and return the dated copy that keeps them, None where there were none. Raises `NotKept`."""
    if not read(path):
        return None
    copy = dated(path, "until")
    try:
        with connected(path) as connection:
            connection.execute("VACUUM INTO ?", (str(copy),))
            atomic.sync(copy)  # SQLite does not wait for that here
            atomic.sync_folder(copy.parent)
            with connected_to_read(copy) as kept:
                last = kept.execute("SELECT max(id) FROM notes").fetchone()
            connection.execute("DELETE FROM notes WHERE id <= ?", last)  # later ones are not in the copy
    except NotKept:
        if read(path):  # the notes are where they were
            copy.unlink(missing_ok=True)
        raise
    return copy


def _standings(connection: sqlite3.Connection) -> list[Standing]:
    rows = connection.execute(STANDINGS)
    return [Standing(*row[:2], bool(row[2]), *row[3:7], bool(row[7]), *row[8:]) for row in rows]
