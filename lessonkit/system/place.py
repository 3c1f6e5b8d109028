"""Find the folder of the course, and the folder that it writes to.

The engine knows no course by name. It takes the folder of `course.toml` that COURSE_ROOT names; else the one beside
this package, as in a clone; else the one of the installed package that registers itself under the entry point
`lessonkit.course`, whose wheel brings its content in a folder `content`.
"""

import os
from importlib.machinery import PathFinder
from importlib.metadata import entry_points
from pathlib import Path

SETTINGS = "course.toml"
_BESIDE = Path(__file__).resolve().parents[2]


def _root() -> Path:
    if named := os.environ.get("COURSE_ROOT"):
        folder = Path(named).expanduser().resolve()
        if not (folder / SETTINGS).is_file():
            raise RuntimeError(f"COURSE_ROOT is {folder}, and there is no {SETTINGS}: name the folder of a course.")
        return folder
    if (_BESIDE / SETTINGS).is_file():
        return _BESIDE
    for one in entry_points(group="lessonkit.course"):
        found = PathFinder.find_spec(one.value.partition(":")[0].partition(".")[0])
        for folder in (found and found.submodule_search_locations) or ():
            if (Path(folder) / "content" / SETTINGS).is_file():
                return Path(folder).resolve() / "content"
    raise RuntimeError(
        f"There is no course: no {SETTINGS} lies beside lessonkit, no installed package registers one under "
        f"`lessonkit.course`, and COURSE_ROOT is not set. Set COURSE_ROOT to the folder that holds {SETTINGS}."
    )


def _started_in() -> Path | None:
    try:
        return Path.cwd()
    except FileNotFoundError:  # somebody deleted the folder under this process
        return None


# The folder in which this process was started, a kernel's is its notebook's. A notebook's first cell imports this
# module; later an answer or a cell may have changed the folder.
STARTED_IN = _started_in()
# What the course brings: notebooks, samples, recorded figures, scripts. In a clone this is the clone's folder.
PROJECT = _root()
# Whether the course came as a package, in whose folder nothing may be written.
INSTALLED = PROJECT.name == "content" and (PROJECT.parent / "__init__.py").is_file()


def _home() -> Path:
    named = os.environ.get("COURSE_HOME")
    if named or not INSTALLED:
        return Path(named).expanduser().resolve() if named else PROJECT
    if STARTED_IN is None:
        return Path.home()
    above = (STARTED_IN, *STARTED_IN.parents)
    return next((folder for folder in above if (folder / "work" / ".course").is_dir()), STARTED_IN)


# Where the course writes `work`, `build` and `data/cache`: COURSE_HOME; else, in a clone, the clone's folder; else
# the folder in which `course lab` was first run: the nearest one above with copies, or the current one.
HOME = _home()
# What a child process needs on its path to import the engine and the course; installed packages need nothing.
IMPORTED_FROM = tuple(dict.fromkeys(map(str, () if INSTALLED else (PROJECT, _BESIDE))))
