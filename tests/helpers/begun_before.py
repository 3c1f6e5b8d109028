"""A file of progress as the course of November 2026 created it, which learners have in their folders."""

import sqlite3
from contextlib import closing
from pathlib import Path

# Written out, and not taken from the course: a learner's file does not change when the course does.
SCHEMA = """
CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    chapter TEXT NOT NULL,
    exercise TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT,
    mistake TEXT,
    seconds REAL
);
CREATE INDEX of_exercise ON notes (chapter, exercise, kind, state);
PRAGMA user_version = 1;
"""


def begin_with_log(path: Path) -> None:
    """Create the file with one note in it: `measure` of chapter 05, passed."""
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute("PRAGMA journal_mode = wal").fetchone() == ("wal",)
        connection.executescript(f"BEGIN; {SCHEMA} COMMIT;")
        row = ("2026-11-20T10:00:00+00:00", "training", "measure", "check", "passed", 0.5)
        columns = "at, chapter, exercise, kind, state, seconds"
        connection.execute(f"INSERT INTO notes ({columns}) VALUES (?, ?, ?, ?, ?, ?)", row)


def journal_mode(path: Path) -> str:
    """Return which journal SQLite keeps for the file: `wal` or `delete`."""
    with closing(sqlite3.connect(path)) as connection:
        [mode] = connection.execute("PRAGMA journal_mode").fetchone()
        return mode
