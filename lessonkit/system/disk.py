"""Disks: which errors mean a full one, how to describe them, and whether a folder can be written."""

import errno
import os
import shutil
import tempfile
from pathlib import Path

FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
ROOM = "make room there and try again"
_HANDFUL = 8  # files


def is_full(error: BaseException | None) -> bool:
    """Return whether an error means that a disk, or what one user may have of it, is full."""
    return isinstance(error, OSError) and error.errno in FULL


def full(error: OSError, path: str | Path) -> OSError:
    """Return such an error with the file that was being written, and with what to do, in its `strerror`."""
    return OSError(error.errno, f"{os.strerror(error.errno)} ({free(path)}); {ROOM}", str(path))


def explain(error: OSError) -> str:
    """Return such an error in words: the file as far as it is known, the room that is left, what to do."""
    if error.filename is not None and ROOM not in str(error.strerror):
        error = full(error, os.fsdecode(error.filename))
    return f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror}; {ROOM}"


def free(path: str | Path) -> str:
    """Return how much room the disk of a file has, in words: `0.3 MB free`."""
    folder = next(one for one in Path(path).absolute().parents if one.is_dir())
    files = ", but hardly a name for one more file" if takes_no_file(folder) else ""
    return f"{shutil.disk_usage(folder).free / 1e6:,.1f} MB free{files}"


def takes_no_file(folder: Path) -> bool:
    """Return whether a disk has nearly as many files as it can name, whatever room is left.

    A database makes a handful at once, and gives them back when it fails. Windows has no such limit.
    """
    if not hasattr(os, "statvfs"):
        return False
    there = os.statvfs(folder)
    return there.f_files > 0 and there.f_favail < _HANDFUL


def why_not_writable(folder: Path) -> str:
    """Return why no file can be made in the folder, or in the one it would be made in; empty where one can."""
    try:
        tempfile.TemporaryFile(dir=nearest(folder)).close()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def nearest(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists. Raises OSError where that cannot be found out."""
    while not folder.exists():
        folder = folder.parent
    return folder
