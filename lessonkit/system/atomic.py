"""Write a file atomically: a reader finds the old content or the new, complete, whenever the writer dies."""

import errno
import os
import re
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from lessonkit.system import disk

try:
    import fcntl
except ImportError:  # Windows: there an open file cannot be deleted, which is the lock we need
    fcntl = None

TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.saving\Z")  # what ends the name of a file that is being written
OLD = 60  # seconds


@contextmanager
def atomic_write(path: str | Path, *, durable: bool = True, private: bool = False) -> Iterator[BinaryIO]:
    """Yield a binary file, readable too; its bytes become `path` when the block ends, at once and completely.

    The bytes go to a temporary file in the same folder, as a rename cannot cross file systems; they are on the disk
    before the rename, and the rename is on the disk before this returns. When the block raises or the process dies,
    `path` stays as it was; a temporary file that a dead process left is removed by the next write into its folder.
    `durable=False` does not wait for the disk (some 20 ms): then the death of the machine can cost the file, the
    old one too, so it is for files that are soon written again. `private=True`: only its owner may read the file,
    on systems with permissions (mode 0600). Raises OSError if the folder is missing, full or not writable; for a
    full disk the error names `path` and says what to do. Source: rename(2), fsync(2).
    """
    path = Path(path)
    remove_stale(path.parent)
    file, temporary = _open_temporary(path, 0o600 if private else 0o666)
    try:
        with file:
            yield file
            file.flush()
            if durable:
                _sync(file)
            if fcntl is not None:
                temporary.replace(path)  # before closing: closed it would be unlocked, and look stale
        if fcntl is None:
            temporary.replace(path)  # Windows renames no open file
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if disk.is_full(error) and error.filename is None:  # a write that fails does not say of which file
            raise disk.full(error, path) from error
        raise
    if durable:
        sync_folder(path.parent)


def write(path: str | Path, data: bytes, *, durable: bool = True, private: bool = False) -> None:
    """Make `data` the content of `path`, at once and completely, as `atomic_write` does."""
    with atomic_write(path, durable=durable, private=private) as file:
        file.write(data)


def make_folder(folder: str | Path) -> None:
    """Make a folder, and those above it that are missing, so that the death of the machine does not cost them.

    Otherwise it can take along a file in there that is on the disk, as the folder's own name is not.
    """
    folder = Path(folder)
    if not folder.is_dir():
        make_folder(folder.parent)
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            if disk.is_full(error):
                raise disk.full(error, folder) from error
            raise
        sync_folder(folder.parent)


def sync(path: str | Path) -> None:
    """Put the bytes of a file on the disk that somebody has written and closed."""
    with Path(path).open("r+b") as file:  # Windows syncs no file that is open for reading alone
        _sync(file)


def remove_unfinished(path: str | Path) -> None:
    """Delete what writers of `path` left that are known to be dead; on Windows too, however short a time ago."""
    path = Path(path)
    for other in path.parent.iterdir():
        if TEMPORARY.sub("", other.name) == path.name != other.name:
            other.unlink(missing_ok=True)


def remove_stale(folder: str | Path) -> list[Path]:
    """Delete what killed writers left in a folder; return the paths. Files still being written are not touched.

    A writer holds a lock on its temporary file, and the system drops it when the writer dies. On Windows, where no
    lock is taken, files younger than a minute stay too: they may be between closing and renaming.
    """
    return [path for path in Path(folder).iterdir() if TEMPORARY.search(path.name) and _remove_if_stale(path)]


def _remove_if_stale(path: Path) -> bool:
    try:
        if fcntl is None:
            if time.time() - path.stat().st_mtime < OLD:
                return False
            path.unlink()
            return True
        with path.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
            return True
    except OSError:  # locked, open or already gone: somebody else's
        return False


def _open_temporary(path: Path, mode: int) -> tuple[BinaryIO, Path]:
    """Open a new file next to `path`, locked until closed, with `mode` less the umask; return file and path."""
    while True:
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}.saving")
        try:
            file = open(temporary, "x+b", opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115
        except OSError as error:
            if disk.is_full(error):  # no room for one more name
                raise disk.full(error, path) from error
            raise
        if fcntl is None:
            return file, temporary
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.ENOTSUP):
                file.close()
                temporary.unlink()
                raise
            # No locks on this file system: then nobody can lock the file to delete it either.
        if temporary.exists():
            return file, temporary
        file.close()  # between opening and locking, somebody took it for stale


def _sync(file: BinaryIO) -> None:
    if sys.platform == "darwin":  # there fsync stops at the drive's own cache
        fcntl.fcntl(file, fcntl.F_FULLFSYNC)
    else:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk. Windows opens no folder for that, and keeps names in a journal."""
    if sys.platform == "win32":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:  # a folder with write but no read permission cannot be opened
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system that syncs no folders
            raise
    finally:
        os.close(handle)
