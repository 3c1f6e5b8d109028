"""SQLite's journal: which one a drive allows, and the change to it. Source: sqlite.org/wal.html, pragma.html."""

import mmap
import sqlite3
import tempfile
import time
from pathlib import Path


def change(connection: sqlite3.Connection, wanted: str, *, patience: float) -> str:
    """Change the journal and return its mode.

    While another connection's lock forbids it, it is tried anew for `patience` seconds: SQLite itself does not wait
    here, as two that change it at the same moment would wait for each other.
    """
    until = time.monotonic() + patience
    while True:
        try:
            (mode,) = connection.execute(f"PRAGMA journal_mode = {wanted}").fetchone()
            return mode
        except sqlite3.OperationalError as error:
            if not is_locked(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)


def is_locked(error: sqlite3.DatabaseError) -> bool:
    """Return whether another connection's lock is what an error of SQLite is about."""
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def shares_memory(folder: Path) -> bool:
    """Return whether processes can share a file's pages there; asked first, since a failed switch would stick."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.truncate(mmap.PAGESIZE)
        try:
            mmap.mmap(file.fileno(), mmap.PAGESIZE).close()
        except OSError:
            return False
    return True
