"""A temporary folder. If its owner is killed, the next process that makes one of its kind removes it."""

import os
import re
import shutil
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: there an open file cannot be deleted, which is the lock we need
    fcntl = None

LOCK = "owner.course-lock"  # a name that no other program uses: a folder that holds it is ours to remove
OLD = 60  # seconds
PATIENCE = 10.0  # seconds for processes that are ending to stop writing


class Scratch:
    """A new folder `path` in the system's one for temporary files, its name beginning with `prefix`.

    This process holds a lock in it until `close`, and the system drops that when the process dies: whoever makes
    the next folder with this `prefix` removes it then. Raises OSError where nothing can be written.
    """

    def __init__(self, prefix: str):
        remove_abandoned(prefix)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=prefix))
            self._lock = (self.path / LOCK).open("x+b")
            if fcntl is not None:
                with suppress(OSError):  # no locks on this file system: then nobody can take it either
                    fcntl.flock(self._lock, fcntl.LOCK_EX)
            if (self.path / LOCK).exists():
                return
            self._lock.close()  # between opening and locking, somebody took it for abandoned

    def close(self) -> None:
        """Remove the folder with all that is in it. Raises OSError where that fails, but not on Windows."""
        self._lock.close()
        remove(self.path)

    def give_back(self) -> None:
        """Move what is in the folder one up, where it would have been made without it."""
        for path in [path for path in self.path.iterdir() if path.name != LOCK]:
            with suppress(OSError):  # one of that name is there: then this one goes with the folder
                path.rename(self.path.parent / path.name)


def remove(folder: str | Path) -> None:
    """Remove a folder, also one in which a process that is just ending makes another file."""
    until = time.monotonic() + PATIENCE
    while Path(folder).exists():
        last = time.monotonic() > until
        try:
            shutil.rmtree(folder)
        except FileNotFoundError:  # somebody else removes it, too
            continue
        except OSError:
            if last and sys.platform != "win32":  # there a file that is open, by a virus scanner say, has to stay
                raise
        if last:
            return
        time.sleep(0.02)


def remove_abandoned(prefix: str, *, among: Path | None = None) -> None:
    """Remove this user's folders of that prefix whose owner has died; those of living ones are not touched.

    `among`: the folder in which they are, if not the system's one for temporary files.
    """
    name = re.compile(rf"{re.escape(prefix)}\w{{8}}")
    for folder in (among or Path(tempfile.gettempdir())).glob(f"{prefix}*"):
        if name.fullmatch(folder.name) and _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)  # another process may be at it


def _is_abandoned(folder: Path) -> bool:
    try:
        facts = folder.lstat()
        if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != getattr(os, "geteuid", lambda: facts.st_uid)():
            return False
        if not (folder / LOCK).exists():  # of one killed before it made the lock, or about to make it: or not ours
            return time.time() - facts.st_mtime > OLD and not any(folder.iterdir())
        if fcntl is None:
            (folder / LOCK).unlink()
            return True
        with (folder / LOCK).open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            (folder / LOCK).unlink()  # before the lock goes: an owner that was just about to take it sees that
        return True
    except OSError:  # locked, open, or already removed
        return False
