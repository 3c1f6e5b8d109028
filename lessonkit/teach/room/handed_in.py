"""Find the notebooks that were handed in, and read learner and chapter from the paths that platforms give them."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lessonkit.notebook.catalog import Chapter

UNNAMED = "unnamed"
LARGEST = 300 * 2**20  # bytes of a file that is taken; a notebook's stored pictures alone make some megabytes
LONGEST = 60  # characters of a name; some systems take no path of more than 260
# What platforms put around a learner's name: Moodle's folders, Canvas' numbers and its mark of a late one.
_ADDED = re.compile(r"_?assignsubmission_(file|onlinetext)_?|_onlinetext_?|(?<![^_])LATE(?![^_])")
_NUMBER = re.compile(r"(?<![^_])\d{4,}(?![^_])")  # a person's; what follows are the file's
_AGAIN = re.compile(r"[-_ ]?(\(\d+\)|copy\d*|-Copy\d+)$", re.IGNORECASE)  # a browser's, a system's, JupyterLab's
_WINDOWS = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """One notebook in a folder: its path from there on, and whose it is by that."""

    path: PurePosixPath
    learner: str
    name: str  # what it should be called: the chapter's name where the file's holds one


def normalised(name: str) -> str:
    """Return a learner's name fit for every file system: letters, digits and `. - _`; UNNAMED for an empty one.

    Of long numbers the first stays: two people may have one name.
    """
    text = _ADDED.sub("_", unicodedata.normalize("NFC", name))
    if first := _NUMBER.search(text):
        text = text[: first.end()] + _NUMBER.sub("", text[first.end() :])
    text = "".join(one if one.isalnum() or one in ".-_" else "_" for one in text)
    text = re.sub(r"_{2,}", "_", text).strip("._- ")[:LONGEST]
    return f"_{text}" if _WINDOWS.match(text) else text or UNNAMED


def place_of(path: PurePosixPath, chapters: Sequence[Chapter]) -> Place:
    """Return whose a notebook is and of which chapter, by its path in what was handed in.

    The first folder is the learner, unless it is called as a chapter is; of a file that lies in none, what stands
    before the chapter's name.
    """
    names = {one.name for one in chapters}
    folders = [part for part in path.parts[:-1] if part not in names]
    stem = _AGAIN.sub("", path.stem)
    for one in names:
        stem = stem.replace(one.replace("_", "-"), one)
    known = [one for one in names if one in stem]
    known += [part for part in path.parts[:-1] if part in names]
    chapter = known[0] if known else None
    before = stem.partition(chapter)[0] if chapter and chapter in stem else stem
    learner = normalised(folders[0] if folders else before)
    return Place(path, learner, chapter or normalised(stem))


def notebooks(folder: Path, chapters: Sequence[Chapter]) -> Iterator[Place]:
    """Yield the notebooks below a folder in order; links, and what is hidden, are passed over."""
    for path in sorted(folder.rglob("*.ipynb")):  # which follows no links to folders
        inside = path.relative_to(folder)
        if path.is_file() and not path.is_symlink() and not any(hidden(part) for part in inside.parts):
            yield place_of(PurePosixPath(inside.as_posix()), chapters)


def hidden(name: str) -> bool:
    """Return whether a file or folder of this name is a system's or a program's own."""
    return name.startswith((".", "__MACOSX"))
