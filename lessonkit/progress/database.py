"""The file of progress: opening it, its first shape, and what its errors mean.

SQLite with a write-ahead log, since several kernels write at once: no reader makes a writer wait, and a process
that dies at any moment leaves a whole file. Sources: sqlite.org/wal.html, sqlite.org/rescode.html.
"""

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePath

from lessonkit.progress import journal
from lessonkit.system import disk

VERSION = 1
PATIENCE = 0.8  # seconds that a check waits for another one's write
SCHEMA = """
CREATE TABLE IF NOT EXISTS notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice, also after rows were removed
    at TEXT NOT NULL,        -- ISO 8601, UTC
    chapter TEXT NOT NULL,   -- the notebook's name without its number: training
    exercise TEXT NOT NULL,  -- train_step; of a question of chapter 12: case 7
    kind TEXT NOT NULL,      -- check, question, hint, solution
    state TEXT,              -- the verdict's; nothing for a hint or a solution
    mistake TEXT,            -- the name of a known mistake; of a question, the letter
    seconds REAL             -- that the check took
);
CREATE INDEX IF NOT EXISTS of_exercise ON notes (chapter, exercise, kind, state);
"""


class NotKept(Exception):
    """Progress cannot be written or read; the text is a sentence that says why and what to do."""


class Damaged(NotKept):
    """The file is not a database of ours, or not any more."""


@contextmanager
def connected(path: Path, *, tell: Callable[[str], None]) -> Iterator[sqlite3.Connection]:
    """Yield a connection to the file, which is made where there is none, for one short transaction.

    It is opened anew each time: so the file can be moved or deleted between two checks, on Windows too. `tell` gets
    a sentence where the drive allows no write-ahead log. Raises `NotKept`, after some PATIENCE at the latest.
    """
    with _errors_in_words(path):
        path.parent.mkdir(exist_ok=True)
        _refuse_others(path)
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
            if _version(connection, path) == 0:
                _begin(connection, path, tell)
            if connection.execute("PRAGMA journal_mode").fetchone() == ("wal",):
                # No wait for the disk at each commit: a machine that dies may cost the last notes, never the file.
                # With a rollback journal that is so for FULL only, which is what SQLite does unless told.
                connection.execute("PRAGMA synchronous = NORMAL")
            yield connection


@contextmanager
def connected_to_read(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Yield a connection that alters nothing, None where nothing is noted yet. Raises `NotKept`."""
    with _errors_in_words(path):
        if not path.exists():
            yield None
            return
        _refuse_others(path)
        with closing(_reader(path, "mode=ro")) as connection:
            try:
                version = _version(connection, path)
            except sqlite3.OperationalError as error:
                log = path.with_name(f"{path.name}-wal")
                if journal.is_locked(error) or (log.exists() and log.stat().st_size):
                    raise
            else:
                yield connection if version else None
                return
        # Even a reader needs a file beside it. Where none can be made nobody writes, so the file alone is all.
        with closing(_reader(path, "immutable=1")) as connection:
            yield connection if _version(connection, path) else None


def _refuse_others(path: Path) -> None:
    """Raise `NotKept` for a pipe, which SQLite would wait for, and for whatever else is there and no plain file."""
    if path.exists() and not path.is_file():
        raise NotKept(f"{path} is a folder, a pipe or a device and no file: move it away.")


def _reader(path: Path, how: str) -> sqlite3.Connection:
    address = f"{_address(path.resolve())}?{how}"
    return sqlite3.connect(address, timeout=PATIENCE, isolation_level=None, uri=True)


def _address(path: PurePath) -> str:
    return re.sub("^file://(?!/)", "file:////", path.as_uri())  # SQLite takes no host, and //server/share/… has one


def _version(connection: sqlite3.Connection, path: Path) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version not in (0, VERSION):
        raise NotKept(f"{path} is of a newer course (version {version}, here {VERSION}); update this one.")
    return version


def _begin(connection: sqlite3.Connection, path: Path, tell: Callable[[str], None]) -> None:
    wanted = "wal" if journal.shares_memory(path.parent) else "delete"
    mode = journal.change(connection, wanted, patience=PATIENCE)
    # Two kernels may begin it at the same moment: whatever is there already stays.
    connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    if mode != "wal":
        tell(
            f"The drive of {path.parent} allows no write-ahead log (a network drive?): progress is kept with a "
            "rollback journal, and notebooks that check at the same moment wait for each other."
        )


@contextmanager
def _errors_in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise NotKept(_full(path) if disk.is_full(error) else f"{_not_ours(path)} ({error.strerror})") from error
    except sqlite3.DatabaseError as error:
        # One without a code is Python's own, about text that is none: so the file's content is at fault.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):  # ERROR: not our table
            raise Damaged(f"{path} is damaged ({error}).") from error
        if journal.is_locked(error):
            raise NotKept(
                f"{path} is locked by another program; end what has it open. If nothing has, its drive allows no "
                "locks: let COURSE_WORK name a folder on another."
            ) from error
        if code == sqlite3.SQLITE_CANTOPEN and disk.takes_no_file(path.parent):
            raise NotKept(_full(path)) from error
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            raise NotKept(f"{_not_ours(path)} ({error})") from error
        if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _room(path) < 1 << 20):
            raise NotKept(_full(path)) from error
        raise NotKept(f"The drive of {path} answers with an error ({error}); is it there, and whole?") from error


def _not_ours(path: Path) -> str:
    return f"{path} cannot be written; may you write there, and is the drive not read-only?"


def _full(path: Path) -> str:
    return f"No room is left on the drive of {path}; make some."


def _room(path: Path) -> int:
    return shutil.disk_usage(path.parent).free
