"""Find the notebooks in the folder of a room, and say whose each of them is and which chapter it is called."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lessonkit.notebook.catalog import Chapter
from lessonkit.system.hidden import is_visible
from lessonkit.teach.room import manifest
from lessonkit.teach.room.file_types import is_notebook
from lessonkit.teach.room.names import normalised
from lessonkit.teach.room.people import People
from lessonkit.teach.room.whose import whose_all


@dataclass(frozen=True)
class Place:
    """One notebook in a folder: its path from there on, and whose it is by that."""

    path: PurePosixPath
    learner: str
    name: str  # what it should be called: the chapter's name where the file's holds one


def places(paths: Sequence[PurePosixPath], chapters: Sequence[Chapter]) -> list[Place]:
    """Return whose the notebooks of a folder are and of which chapter, by all of their paths together."""
    whose = whose_all(paths, chapters)
    owners = People().assign(whose)
    return [
        Place(path, those[0].folder, normalised(one.stem))
        for path, one, those in zip(paths, whose, owners, strict=True)
    ]


def notebooks(folder: Path, chapters: Sequence[Chapter]) -> Iterator[Place]:
    """Yield the notebooks below a folder in order; links, and what is hidden, are passed over.

    In a folder that `course collect` wrote, each folder is a learner's. Raises `Refused` for a damaged manifest.
    """
    found = []
    for path in sorted(folder.rglob("*")):  # which follows no links to folders
        plain = path.is_file() and not path.is_symlink()
        if is_notebook(path.name) and plain and is_visible(path, below=folder):
            found.append(PurePosixPath(path.relative_to(folder).as_posix()))
    known = manifest.load(folder)
    folders = {person.folder for person in known.people} if known else set()
    those = places([path for path in found if path.parts[0] not in folders], chapters)
    there = [path for path in found if path.parts[0] in folders]
    those += [Place(path, path.parts[0], path.stem) for path in there]
    yield from sorted(those, key=lambda place: place.path)
