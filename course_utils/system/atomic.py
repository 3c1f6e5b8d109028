"""Writing a file so that a reader finds the old one or the new one, whole, whenever the writer dies."""

import errno
import os
import re
import secrets
import sys
import time
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: there an open file cannot be deleted, which is the lock we need
    fcntl = None

TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.saving")  # what ends the name of a file that is being written
OLD = 60  # seconds


@contextmanager
def atomic_write(path):
    """Yields a binary file, readable too; its bytes become `path` when the block ends, at once and completely.

    The bytes go to a temporary file in the same folder, as a rename cannot cross file systems; they are on the disk
    before the rename, and the rename is on the disk before this returns. When the block raises or the process dies,
    `path` stays as it was; a temporary file that a dead process left is removed by the next write into its folder.
    Raises OSError where the folder is missing, full or not ours. Source: rename(2), fsync(2).
    """
    path = Path(path)
    remove_stale(path.parent)
    file, temporary = _open_temporary(path)
    try:
        with file:
            yield file
            file.flush()
            _sync(file)
            if fcntl is not None:
                temporary.replace(path)  # before closing: closed it would be unlocked, and look stale
        if fcntl is None:
            temporary.replace(path)  # Windows renames no open file
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def remove_stale(folder):
    """Delete what killed writers left in a folder; returns the paths. Files still being written are not touched.

    A writer holds a lock on its temporary file, and the system drops it when the writer dies. On Windows, where no
    lock is taken, files younger than a minute stay too: they may be between closing and renaming.
    """
    return [path for path in Path(folder).iterdir() if TEMPORARY.search(path.name[-24:]) and _remove_if_stale(path)]


def _remove_if_stale(path):
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


def _open_temporary(path):
    """(file, its path): new, and locked until it is closed."""
    while True:
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}.saving")
        file = temporary.open("x+b")
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


def _sync(file):
    if sys.platform == "darwin":  # there fsync stops at the drive's own cache
        fcntl.fcntl(file, fcntl.F_FULLFSYNC)
    else:
        os.fsync(file.fileno())


def _sync_folder(folder):
    """Puts the rename itself on the disk. Windows opens no folder for that, and keeps names in a journal."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system that syncs no folders
            raise
    finally:
        os.close(handle)
