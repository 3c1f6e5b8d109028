"""What goes into a bundle beside wheels: the course's own files, and the data that may be passed on."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from lessonkit.notebook.catalog import Chapter, data_sets
from lessonkit.system.course import course, hook
from lessonkit.system.errors import Refused
from lessonkit.system.place import PROJECT


class Data(Protocol):
    """A data set that chapters load, as the course's hook `passed_on` gives it."""

    out: str  # why it stays out of the bundle
    to_fetch: int  # the most bytes that a download takes
    size: int  # bytes that it takes in the bundle

    def files(self) -> dict[str, Path]:
        """Return {name in the bundle: path}."""

    def sentence(self) -> str:
        """Return what of it goes into the bundle, and why not, in one sentence."""


# Chosen, not "all but …": a folder of submissions or a learner's own must never get into a bundle by itself.
ENGINE = ("lessonkit", "torch_clinic")  # beside the course's own package
SHIPPED = (*ENGINE, "data/samples", "data/recorded", "data/README.md", "docs", "notebooks/glossary.md", "scripts")
SHIPPED += ("tools", "README.md", "LICENSE", "LICENSE-TEXT", "CITATION.cff", "CHANGELOG.md", "CONTRIBUTING.md")
SHIPPED += ("Makefile", "MANIFEST.in", "pyproject.toml", "setup.py", "course.toml", "environment.yml")
SHIPPED += ("requirements.txt", "requirements-cpu.txt")
_LEFT_BEHIND = {"__pycache__", ".ipynb_checkpoints", "results", "build"}


def course_files(chapters: Sequence[Chapter], *, project: Path = PROJECT) -> tuple[dict[str, Path], list[str]]:
    """Return ({name in the bundle: path}, names left out) of the course without its tests, with these chapters.

    In a clone what git does not track is left out: nothing that somebody has put beside goes along.
    """
    tracked, found, left = _tracked(project), {}, []
    # A course without a package of its own has "" there, which would be the whole folder.
    shipped = [project / name for name in filter(None, (course().package, *SHIPPED))]
    inside = (path for folder in shipped for path in sorted(folder.rglob("*")))
    for path in (*shipped, *inside, *(chapter.path for chapter in chapters)):
        ours = path.is_relative_to(project)
        name = path.relative_to(project).as_posix() if ours else f"{course().notebooks}/{path.name}"
        if not path.is_file() or _LEFT_BEHIND & set(name.split("/")):
            continue
        if tracked is None or name in tracked or not ours:
            found[f"course/{name}"] = path
        else:
            left.append(name)
    return found, left


def _tracked(project):
    """Return the names of what git tracks; None where this is no clone, or no git is there."""
    command = ["git", "-c", "core.quotepath=off", "ls-files", "-z"]
    try:
        ran = subprocess.run(command, cwd=project, capture_output=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    names = set(ran.stdout.decode("utf-8", "surrogateescape").split("\0"))
    return names if "pyproject.toml" in names else None  # else it lies in somebody's own repository


def data_for(chapters: Sequence[Chapter]) -> list[Data]:
    """Return what the course says of the data sets that the chapters load, in the order they come up.

    Empty for a course without the hook `passed_on`. Raises `Refused` for damaged ones.
    """
    users: dict[str, list[str]] = {}
    for chapter in chapters:
        for name in data_sets(chapter):
            users.setdefault(name, []).append(chapter.name.partition("_")[0])
    module = hook("passed_on")
    return _or_refused(module.data_for, users) if module else []


def fetch(one: Data) -> Data:
    """Return the data set with its place: downloaded where it has none, verified in any case.

    One that cannot be had stays out, and says why. Raises `Refused` for a damaged one.
    """
    return _or_refused(hook("passed_on").fetch, one)


def _or_refused(function, argument):
    try:
        return function(argument)
    except hook("data").DataError as error:
        raise Refused(str(error).rstrip(".")) from error
