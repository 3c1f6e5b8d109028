"""Helpers that more than one chapter of the course needs; every module is imported by its own name."""

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CONTENT = _PACKAGE / "content"  # setup.py puts it into a wheel; a clone has none
INSTALLED = _CONTENT.is_dir()

# What the course brings: notebooks, samples, recorded figures, scripts. In a clone its folder.
PROJECT = _CONTENT if INSTALLED else _PACKAGE.parent


def _home() -> Path:
    named = os.environ.get("COURSE_HOME")
    if named or not INSTALLED:
        return Path(named).expanduser().resolve() if named else PROJECT
    try:
        here = Path.cwd()
    except FileNotFoundError:  # somebody deleted the folder under this process
        return Path.home()
    return next((folder for folder in (here, *here.parents) if (folder / "work" / ".course").is_dir()), here)


# Where it writes: work, build, data/cache. COURSE_HOME, else in a clone its folder; of a course that was installed
# as a package the folder in which `course lab` was first said: the nearest one above with copies, or this one.
HOME = _home()
