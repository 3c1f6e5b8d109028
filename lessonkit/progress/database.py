"""Open the progress database, create its schema, translate SQLite's errors, and set a damaged file aside.

Each note is one short transaction on a connection of its own. SQLite makes several kernels wait for each other, and
a process that dies at any moment leaves a file that SQLite repairs when it is next opened. Where the drive can hold
one, a new file gets a write-ahead log, with which readers and writers do not wait for each other; otherwise it
keeps the rollback journal. Sources: sqlite.org/wal.html, sqlite.org/rescode.html.
"""

import mmap
import re
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path, PurePath

from lessonkit.system import disk

VERSION = 1
PATIENCE = 0.8  # seconds that a check waits for another one's write
SCHEMA = """
CREATE TABLE IF NOT EXISTS notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice, also after rows were removed
    at TEXT NOT NULL,        -- ISO 8601, UTC
    chapter TEXT NOT NULL,   -- the notebook's name without its number: training
    exercise TEXT NOT NULL,  -- train_step; of a question with letters, what it is asked by: case 7
    kind TEXT NOT NULL,      -- check, question, hint, solution
    state TEXT,              -- the verdict's; nothing for a hint or a solution
    mistake TEXT,            -- the name of a known mistake; of a question, the letter
    seconds REAL             -- that the check took
);
CREATE INDEX IF NOT EXISTS of_exercise ON notes (chapter, exercise, kind, state);
"""
BESIDE = ("-wal", "-shm", "-journal")  # endings of the files that SQLite keeps next to a database
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)  # ERROR: the table is not ours
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_FORBIDDEN = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)


class NotKept(Exception):
    """Progress cannot be written or read; the text is a sentence that says why and what to do."""


class Damaged(NotKept):
    """The file is not a database of ours, or not any more."""


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection for one short transaction; the file is created if it does not exist.

    It is opened for each transaction, so that the file can be moved or deleted between two checks, on Windows too.
    Raises `NotKept`, after some PATIENCE at the latest.
    """
    with _errors_in_words(path):
        path.parent.mkdir(exist_ok=True)
        _refuse_others(path)
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
            if _version(connection, path) == 0:
                _create(connection, path.parent)
            if connection.execute("PRAGMA journal_mode").fetchone() == ("wal",):
                # Do not wait for the disk at each commit: a power cut may cost the last notes, but not the file.
                # That is true of a log only, so with a rollback journal SQLite's default stays, which is FULL.
                connection.execute("PRAGMA synchronous = NORMAL")
            yield connection


def _create(connection: sqlite3.Connection, folder: Path) -> None:
    # Two kernels may create it at the same moment, so what exists already stays.
    connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    # Asked first, because a file whose drive cannot share memory could not be opened any more with a log.
    if _shares_memory(folder):
        with suppress(sqlite3.OperationalError):  # another kernel uses it: the file keeps its rollback journal
            connection.execute("PRAGMA journal_mode = wal")


def _shares_memory(folder: Path) -> bool:
    """Return whether processes can share the pages of a file in this folder; network drives often refuse it."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.truncate(mmap.PAGESIZE)
        try:
            mmap.mmap(file.fileno(), mmap.PAGESIZE).close()
        except OSError:
            return False
    return True


@contextmanager
def connected_to_read(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Yield a connection to read the notes, None where nothing is noted yet. Raises `NotKept`."""
    with _errors_in_words(path):
        if not path.exists():
            yield None
            return
        _refuse_others(path)
        with closing(_reader(path)) as connection:
            yield connection if _version(connection, path) else None


def _reader(path: Path) -> sqlite3.Connection:
    """Return a connection that has read the file, in the first way that the folder allows.

    Reading alone cannot undo what a killed process left half done, so the next way may write. If the folder
    is read-only, SQLite opens a file with a write-ahead log only as immutable, which it then is. A log or
    a journal that is not empty belongs to the file, so then it is not read alone.
    """
    whole = not any(_bytes(_beside(path, ending)) for ending in ("-wal", "-journal"))
    ways = ["mode=ro", "mode=rw", *(["immutable=1"] if whole else [])]
    for way in ways:
        address = f"{_address(path.resolve())}?{way}"
        try:
            connection = sqlite3.connect(address, timeout=PATIENCE, isolation_level=None, uri=True)
            try:
                _version(connection, path)  # SQLite reads a file only when something is asked of it
                return connection
            except BaseException:
                connection.close()
                raise
        except sqlite3.OperationalError as error:
            if _code(error) in _LOCKED or way == ways[-1]:
                raise


def _bytes(path: Path) -> int:
    """Return the size of a file that another process may remove at any moment, 0 if it is not there."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def set_aside(path: Path) -> Path:
    """Rename a damaged file, with what belongs to it; return its new path. Raises `NotKept` where that fails."""
    aside = dated(path, "damaged")
    try:
        for ending in (*BESIDE, ""):  # the file last: a new one must not meet the old one's journal
            with suppress(FileNotFoundError):  # most have no journal, and another kernel may just delete its own
                _beside(path, ending).replace(_beside(aside, ending))
    except OSError as error:
        raise NotKept(f"{path} is damaged and cannot be renamed ({error.strerror}); delete it yourself.") from None
    return aside


def dated(path: Path, why: str) -> Path:
    """Return a free name next to the file, with the reason and the date in it: `progress-damaged-2027-03-01…`."""
    now = datetime.now().strftime("%Y-%m-%d_%H%M%S")
    names = [path.with_stem(f"{path.stem}-{why}-{now}{again}") for again in ("", *(f"_{n}" for n in range(2, 99)))]
    return next(name for name in names if not name.exists())


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _refuse_others(path: Path) -> None:
    """Raise `NotKept` for a pipe, which SQLite would wait for, and for whatever else is there and no plain file."""
    try:
        plain = stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return
    if not plain:
        raise NotKept(f"{path} is a folder, a pipe or a device instead of a file; move it away.")


def _address(path: PurePath) -> str:
    return re.sub("^file://(?!/)", "file:////", path.as_uri())  # SQLite takes no host, and //server/share/… has one


def _version(connection: sqlite3.Connection, path: Path) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version not in (0, VERSION):
        raise NotKept(f"{path} was written by a newer course (version {version}, here {VERSION}); update this one.")
    return version


@contextmanager
def _errors_in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.DatabaseError) as error:
        raise _refusal(path, error) from error


def _refusal(path: Path, error: Exception) -> NotKept:
    """Return what an error of the system or of SQLite means here, and what to do."""
    code = _code(error)
    if code in _DAMAGED:
        return Damaged(f"{path} is damaged ({error}).")
    if code in _LOCKED:
        return NotKept(
            f"{path} is locked by another program; end the program that has it open. If there is none, the drive "
            "allows no locks; let COURSE_WORK name a folder on another drive."
        )
    if _is_full(path, error, code):
        return NotKept(f"The drive of {path} is full; make some room.")
    if code is None or code in _FORBIDDEN:
        why = getattr(error, "strerror", None) or error
        return NotKept(
            f"{path} cannot be written ({why}). Check that you have permission to write there and that the "
            "drive is not read-only."
        )
    return NotKept(
        f"The drive of {path} answers with an error ({error}). Check that it is connected and undamaged."
    )


def _code(error: Exception) -> int | None:
    """Return SQLite's primary code of an error, None for one of the system."""
    if isinstance(error, OSError):
        return None
    # One without a code is Python's own, about text that is none: so the file's content is at fault.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def _is_full(path: Path, error: Exception, code: int | None) -> bool:
    if code is None:
        return disk.is_full(error)
    if code == sqlite3.SQLITE_CANTOPEN:  # SQLite has no other word for a journal that finds no room
        return disk.takes_no_file(path.parent)
    little = 1 << 20  # bytes
    return code == sqlite3.SQLITE_FULL or (
        code == sqlite3.SQLITE_IOERR and shutil.disk_usage(path.parent).free < little
    )
