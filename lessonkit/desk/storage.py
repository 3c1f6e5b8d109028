"""Write into a work folder: one process at a time, whole files only, and nothing is replaced without a backup.

Each step leaves a state that the next update understands: first the pristine chapter is kept, then the learner's
copy as it is goes to `old/`, then the new one takes its place with one rename. It says itself what it was made
from.
"""

import contextlib
import glob
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout
from nbformat import NotebookNode

from lessonkit.desk.folder import Desk
from lessonkit.desk.merge_base import Origin, keep_base, record_origin, text
from lessonkit.system import atomic, disk
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain

PATIENCE = 20.0  # seconds for another update to end


class Trouble(Exception):
    """One copy that is left as it is; the text says why and what to do."""


@contextlib.contextmanager
def opened(desk: Desk) -> Iterator[None]:
    """Make the work folder and lock it against other updates during the block.

    Raises `Refused` where the folder is the originals' own, another update is at work, or inside an OSError rises.
    """
    work, originals = desk.work.resolve(), desk.originals.resolve()
    if work.is_relative_to(originals) or originals.is_relative_to(work):
        raise Refused(
            f"copies in {desk.work} would be mixed with the originals; let COURSE_WORK name another folder"
        )
    try:
        atomic.make_folder(desk.machinery)
        with FileLock(desk.machinery / "update.lock", timeout=PATIENCE):
            yield
    except Timeout:
        raise Refused(f"another `course` is writing into {desk.work}; try again when it has ended") from None
    except OSError as error:
        full = disk.is_full(error) and error.filename
        said = disk.explain(error) if full else f"{error.filename or desk.work}: {error.strerror or error}"
        raise Refused(
            f"{said}. Your copies are unchanged; fix that, or "
            "let COURSE_WORK name a folder that can be written, and try again"
        ) from error


def keep_old(desk: Desk, path: Path, data: bytes) -> Path:
    """Write the bytes of a copy to `old/`, under its name and the time; return where. Nothing is written over.

    The same bytes are kept once: an update that fails and is tried again adds no second file. Raises OSError.
    """
    atomic.make_folder(desk.old)
    for before in sorted(desk.old.glob(f"{glob.escape(path.stem)} *{path.suffix}")):
        if before.is_file() and before.stat().st_size == len(data) and read_plain(before) == data:
            return before
    kept = _free_name(desk, path)
    atomic.write(kept, data)
    return kept


def move_old(desk: Desk, path: Path) -> Path:
    """Move what lies in a copy's place to `old/`, a folder or a link as it is; return where. Raises OSError."""
    atomic.make_folder(desk.old)
    return path.rename(_free_name(desk, path))


def _free_name(desk: Desk, path: Path) -> Path:
    name, number = f"{path.stem} {datetime.now():%Y-%m-%d %H%M}", 1
    while os.path.lexists(kept := desk.old / f"{name}{f' {number}' if number > 1 else ''}{path.suffix}"):
        number += 1
    return kept


def put(desk: Desk, source: Origin, chapter: NotebookNode, copy: NotebookNode) -> None:
    """Keep the pristine `chapter`, then put `copy`, made from it, in its place. Raises OSError."""
    keep_base(desk, source, chapter)
    atomic.write(desk.copy(source.chapter), text(record_origin(copy, source)))


def still_holds(desk: Desk, path: Path, data: bytes) -> None:
    """Raise `Trouble` if a copy is not what it was when it was read, because an editor has saved it since."""
    if read_plain(path) != data:
        raise Trouble(f"{desk.shown(path)} is left as it is: it was saved just now; run `course update` again")
