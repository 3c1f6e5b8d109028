"""A course directory for nbgrader: its configuration and, for each chapter, an assignment of one notebook."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from lessonkit.desk.merge_base import text
from lessonkit.notebook.catalog import Chapter
from lessonkit.notebook.cells import keep_core
from lessonkit.system import atomic
from lessonkit.system.errors import Refused
from lessonkit.teach.assignments import config
from lessonkit.teach.assignments.marking import mark
from lessonkit.teach.assignments.points import Points
from lessonkit.teach.room.release import clear

SOURCE = "source"  # as nbgrader calls the folder of the instructor's versions


@dataclass(frozen=True)
class Assignment:
    """One assignment as it was written: exercise -> points."""

    name: str
    points: dict[str, float]


def write(chapters: Sequence[Chapter], to: Path, *, core: bool, points: Points) -> list[Assignment]:
    """Write the course directory `to`, or these chapters into one that is there; return the assignments.

    Raises `Refused`, and writes nothing, where another file lies in the way, and for points of an exercise that
    none of the chapters has; `Refused` too where the disk does not take it.
    """
    files, made = {}, []
    for chapter in chapters:
        notebook = nbformat.read(chapter.path, as_version=4)
        if core:
            keep_core(notebook)
        clear(notebook)
        try:
            made.append(Assignment(chapter.name, mark(notebook, points)))
        except Refused as error:
            raise Refused(f"{chapter.name}: {error}") from None
        files[to / SOURCE / chapter.name / f"{chapter.name}.ipynb"] = text(notebook)
    there = {name for one in made for name in one.points}
    if unknown := sorted(set(points.named) - there):
        raise Refused(f"--points names {', '.join(unknown)}; the exercises are: {', '.join(sorted(there))}")
    try:
        _put(files, to)
    except OSError as error:
        raise Refused(f"{error.filename or to} cannot be written or read: {error.strerror or error}") from None
    return made


def _put(files, to):
    if not _has_config(to / config.NAME):
        files = files | {to / config.NAME: config.TEXT.encode()}
    for path, data in files.items():
        if path.exists() and path.read_bytes() != data:
            raise Refused(
                f"{path} is there and differs from what would be written: you may have worked in it. "
                "Give another --to, or move it away"
            )
    for path, data in files.items():
        atomic.make_folder(path.parent)
        atomic.write(path, data)


def _has_config(path):
    """Return whether there is a configuration of ours, edited or not. Raises `Refused` for somebody else's."""
    if not path.exists():
        return False
    if config.OURS not in path.read_text(encoding="utf-8", errors="replace"):
        raise Refused(f"{path} is not from `course nbgrader`, and another course may need it: give another --to")
    return True
