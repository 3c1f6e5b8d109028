"""The folder of the learner's copies: where it is, its parts, and whether this process was started in it."""

import os
from dataclasses import dataclass
from pathlib import Path

from lessonkit.notebook.catalog import NOTEBOOKS
from lessonkit.system.place import HOME, STARTED_IN


def work_folder() -> Path:
    """Return the folder of the copies: COURSE_WORK, else `work` where the course writes.

    A relative COURSE_WORK is meant from there: it names one place for every command and kernel.
    """
    named = os.environ.get("COURSE_WORK")
    return HOME / Path(named).expanduser() if named else HOME / "work"


def started_in(folder: Path) -> bool:
    """Return whether this process was started in that folder, as a kernel is in its notebook's."""
    return STARTED_IN is not None and STARTED_IN.resolve() == folder.resolve()


def started_below(folder: Path) -> bool:
    """Return whether this process was started in a folder below that one, as the kernel of a handout is.

    Hidden folders, and `old`, where an update puts copies aside, are none of those.
    """
    if STARTED_IN is None or started_in(folder) or not STARTED_IN.resolve().is_relative_to(folder.resolve()):
        return False
    parts = STARTED_IN.resolve().relative_to(folder.resolve()).parts
    return parts[0] != "old" and not any(part.startswith(".") for part in parts)


def at_desk() -> bool:
    """Return whether this process was started in the work folder, or below it where a handout may lie."""
    return started_in(work_folder()) or started_below(work_folder())


@dataclass(frozen=True)
class Desk:
    """A work folder and the originals that its copies are made from."""

    work: Path
    originals: Path = NOTEBOOKS

    @property
    def machinery(self) -> Path:
        """The folder of what the course itself keeps there; hidden, so JupyterLab does not list it."""
        return self.work / ".course"

    @property
    def bases(self) -> Path:
        """The folder of the pristine chapters that copies were made from."""
        return self.machinery / "base"

    @property
    def old(self) -> Path:
        """The folder of copies that an update or a reset has replaced."""
        return self.work / "old"

    def copy(self, name: str) -> Path:
        """Return where the copy of the chapter `name` (`05_training`) lies."""
        return self.work / f"{name}.ipynb"

    def shown(self, path: Path) -> str:
        """Return a path as people read it: relative to the course's folder if it lies there, else absolute."""
        return path.relative_to(HOME).as_posix() if path.is_relative_to(HOME) else str(path)
