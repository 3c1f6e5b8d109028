"""What goes into a bundle beside wheels: the course's own files, and the data that may be passed on."""

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from course_utils.data import download, locations, registry, settings
from course_utils.data.errors import DataError
from course_utils.data.place import Place
from course_utils.data.registry import DataSet
from lessonkit.notebook.catalog import Chapter, Refused, data_sets
from lessonkit.system.place import PROJECT

# Chosen, not "all but …": a folder of submissions or a learner's own must never get into a bundle by itself.
FOLDERS = ("course_utils", "torch_clinic", "data/samples", "data/recorded", "docs", "scripts", "tools")
FILES = ("README.md", "LICENSE", "LICENSE-TEXT", "CITATION.cff", "CONTRIBUTING.md", "Makefile", "pyproject.toml")
FILES += ("CHANGELOG.md", "MANIFEST.in", "setup.py")
FILES += ("requirements.txt", "requirements-cpu.txt", "environment.yml", "data/README.md", "notebooks/glossary.md")
_LEFT_BEHIND = {"__pycache__", ".ipynb_checkpoints", "results", "build"}


def course_files(chapters: Sequence[Chapter], *, project: Path = PROJECT) -> tuple[dict[str, Path], list[str]]:
    """Return ({name in the bundle: path}, names left out) of the course without its tests, with these chapters.

    In a clone what git does not track is left out: nothing that somebody has put beside goes along.
    """
    tracked = _tracked(project)
    found, left = {}, []
    for path in (*_course_paths(project), *(chapter.path for chapter in chapters)):
        name = path.relative_to(project).as_posix() if path.is_relative_to(project) else f"notebooks/{path.name}"
        if tracked is None or name in tracked or not path.is_relative_to(project):
            found[f"course/{name}"] = path
        else:
            left.append(name)
    return found, left


def _course_paths(project: Path) -> Iterator[Path]:
    yield from (project / name for name in FILES if (project / name).is_file())
    for folder in FOLDERS:
        for path in sorted((project / folder).rglob("*")):
            if path.is_file() and not _LEFT_BEHIND & set(path.relative_to(project).parts):
                yield path


def _tracked(project):
    """Return the names of what git tracks; None where this is no clone, or no git is there."""
    command = ["git", "-c", "core.quotepath=off", "ls-files", "-z"]
    try:
        ran = subprocess.run(command, cwd=project, capture_output=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    names = set(ran.stdout.decode("utf-8", "surrogateescape").split("\0"))
    return names if "pyproject.toml" in names else None  # else it lies in somebody's own repository


@dataclass(frozen=True)
class Data:
    """A data set that chapters of the bundle load: where it is, or why it stays out."""

    data_set: DataSet
    chapters: tuple[str, ...]
    place: Place | None
    out: str = ""  # why it stays out

    @property
    def to_fetch(self) -> int:
        """The most bytes that a download takes."""
        return 0 if self.place or self.out else sum(file.size for file in self.data_set.files)

    @property
    def size(self) -> int:
        """Bytes that it takes in the bundle, at most where it has to be fetched."""
        return sum(path.stat().st_size for path in self.place.paths.values()) if self.place else self.to_fetch

    def files(self) -> dict[str, Path]:
        """Return {name in the bundle: path}, laid out as the course's data/cache is."""
        paths = self.place.paths.values() if self.place else ()
        folder = f"course/data/cache/{self.data_set.folder}"
        return {f"{folder}/{path.relative_to(self.place.root).as_posix()}": path for path in paths}

    def sentence(self) -> str:
        """Return what of it goes into the bundle, and why not, in one sentence."""
        who = f"for {', '.join(self.chapters)}"
        title, licence = self.data_set.title, self.data_set.licence
        if not self.out:
            where = f"from {self.place.name}, " if self.place else "to be fetched, at most "
            return f"{title} ({licence}) {who}: {where}{self.size / 1e6:,.0f} MB"
        sample = self.data_set.embedded(settings.SAMPLES)
        instead = f"the sample is ({self.data_set.sizes('sample')})" if sample else "there is no sample"
        return f"{title} {who}: not in the bundle, {self.out}; {instead}"


def data_for(chapters: Sequence[Chapter]) -> list[Data]:
    """Return the data sets that the chapters load, in the order they come up. Raises `Refused` for damaged ones.

    One that is whole in the repository is none of them: it comes with the course's own files.
    """
    users: dict[str, list[str]] = {}
    for chapter in chapters:
        for name in data_sets(chapter):
            if registry.find(name).files:
                users.setdefault(name, []).append(chapter.name[:2])
    return [_found(registry.find(name), tuple(numbers)) for name, numbers in users.items()]


def fetch(one: Data) -> Data:
    """Return the data set with its place: downloaded where it has none, verified in any case.

    One that cannot be had stays out, and says why. Raises `Refused` for a damaged one.
    """
    if one.out:
        return one
    if one.place is None:
        try:
            download.fetch(one.data_set, settings.CACHE, ask_again=True)
        except DataError as error:
            return Data(one.data_set, one.chapters, None, f"as {error.reason}")
        one = _found(one.data_set, one.chapters)
    try:
        one.data_set.verify(one.place)
    except DataError as error:
        raise Refused(str(error).rstrip(".")) from error
    return one


def _found(data_set: DataSet, chapters: tuple[str, ...]) -> Data:
    if not data_set.passed_on:
        return Data(data_set, chapters, None, f"as its licence lets nobody pass it on ({data_set.licence})")
    try:
        place = locations.in_course_data(data_set) or locations.in_cache(data_set, settings.CACHE)
    except DataError as error:
        raise Refused(str(error).rstrip(".")) from error
    if place is None and settings.offline():
        return Data(data_set, chapters, None, "as it is not here and COURSE_OFFLINE=1 forbids a download")
    return Data(data_set, chapters, place)
