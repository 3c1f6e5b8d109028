"""Write a course directory for nbgrader: its configuration and, for each chapter, an assignment of one notebook."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lessonkit.desk.merge_base import text
from lessonkit.notebook.catalog import Chapter, notebook_of
from lessonkit.notebook.cells import keep_core
from lessonkit.system import atomic
from lessonkit.system.errors import Refused
from lessonkit.teach.assignments.marking import mark
from lessonkit.teach.assignments.points import Points
from lessonkit.teach.room.release import clear

SOURCE = "source"  # as nbgrader calls the folder of the instructor's versions
CONFIG = "nbgrader_config.py"
_OURS = "lessonkit.runner.environment"  # an import by which a configuration of ours is recognised, edited or not
_CONFIG_TEXT = """\
# Written by `course nbgrader`, yours to edit: it is not written again. Call nbgrader in this folder, and from the
# course's own environment (.venv/bin/nbgrader): the notebooks are executed there.
import os
import sys

from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearOutput

try:
    from lessonkit.runner.environment import kernel_environment
except ImportError:
    sys.exit(f"This nbgrader runs in {sys.prefix}, without the course: call the one in the course's .venv.")

# The course's data, this Python's kernel, no progress bars; and what is graded is no progress of your own.
os.environ.pop("MPLBACKEND", None)
os.environ.update(kernel_environment() | {"COURSE_PROGRESS": "0"})
# nbgrader calls alembic by its name, which is not found where the environment is not activated.
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "pytorch"

# A stub stays as it stands above its solution, so nothing takes the solution's place.
c.ClearSolutions.code_stub = {"python": ""}
# The outputs of a chapter belong to its text. Those that give answers away are cleared already.
steps = GenerateAssignment.class_traits()["preprocessors"].default()
c.GenerateAssignment.preprocessors = [step for step in steps if step is not ClearOutput]

# Seconds: for a cell (the longest of ours needs 30 on two slow cores), a kernel's start, its last output.
c.Execute.timeout = 180
c.Execute.startup_timeout = 180
c.Execute.iopub_timeout = 30

# What a chapter writes as it runs is no part of the feedback.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "results"]
"""


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
        notebook = notebook_of(chapter)
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
    if not _has_config(to / CONFIG):
        files = files | {to / CONFIG: _CONFIG_TEXT.encode()}
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
    if _OURS not in path.read_text(encoding="utf-8", errors="replace"):
        raise Refused(f"{path} is not from `course nbgrader`, and another course may need it: give another --to")
    return True
