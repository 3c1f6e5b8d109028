"""Find the merge base of a copy: the version of the chapter that it was made from, which is kept next to it.

The copy says it, because only then no crash, no restored old copy and no editor that saves an older state over an
update can bring copy and base apart: both change with the one rename that puts the copy in its place.
"""

import copy
import hashlib
import json
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode
from nbformat.reader import NotJSONError, reads
from nbformat.validator import ValidationError

from lessonkit.desk.folder import Desk
from lessonkit.desk.matching import content
from lessonkit.system import atomic
from lessonkit.system.plain_file import read_plain


class Unreadable(Exception):
    """A file that is no notebook; the text says what was found."""


class Origin(NamedTuple):
    """What a copy was made from."""

    chapter: str  # `05_training`
    version: str  # as `version_of` says it


def parse(data: bytes) -> NotebookNode:
    """Return the notebook in a file's bytes, as it is: nothing is upgraded, no id added.

    Raises `Unreadable` for what is no notebook of format 4.
    """
    try:
        notebook = reads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, NotJSONError):
        raise Unreadable("it is not JSON, so it is no notebook") from None
    except RecursionError:
        raise Unreadable("it is nested too deep to be a notebook") from None
    except MemoryError:
        raise Unreadable(f"it has {len(data):,} bytes, for which there is not memory enough") from None
    except (ValidationError, AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise Unreadable("it is JSON, but not a notebook") from None
    cells = notebook.get("cells") if notebook.get("nbformat") == 4 else None
    if not isinstance(cells, list) or not isinstance(notebook.get("metadata"), dict):
        raise Unreadable("it is no notebook of format 4")
    for cell in cells:
        if not isinstance(cell, dict) or not isinstance(cell.get("source"), str) or "cell_type" not in cell:
            raise Unreadable("one of its cells has no type or no text")
        cell.source = cell.source.replace("\r\n", "\n")
        cell.setdefault("metadata", NotebookNode())
        if not _fits(cell):
            raise Unreadable("the id, tags, pictures or outputs of one of its cells are of no notebook")
    return notebook


def _fits(cell: NotebookNode) -> bool:
    """Return whether the parts of a cell, where they are there, are of the kinds that the format gives them."""
    metadata, outputs, pictures = cell.metadata, cell.get("outputs", []), cell.get("attachments", {})
    if not all(isinstance(one, dict) for one in (metadata, pictures)) or not isinstance(outputs, list):
        return False
    texts = [cell.cell_type, cell.get("id", ""), *_items(metadata.get("tags", []))]
    bundles = [*pictures.values()]
    for one in outputs:
        kind = one.get("output_type") if isinstance(one, dict) else None
        texts += [kind, *([one.get("text")] if kind == "stream" else [])]
        bundles += [one.get("data", {})] if isinstance(one, dict) else []
    return all(isinstance(one, str) for one in texts) and all(isinstance(one, dict) for one in bundles)


def _items(value):
    """Return the items of a list; of what should be one and is not, None, which is no text."""
    return value if isinstance(value, list) else [None]


def pristine(notebook: NotebookNode) -> NotebookNode:
    """Return a copy of a chapter without outputs: what later versions are compared with."""
    bare = copy.deepcopy(notebook)
    for cell in bare.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return bare


def version_of(notebook: NotebookNode) -> str:
    """Return 12 hexadecimal digits for the cells of a chapter: ids, texts and metadata, not what they print.

    New outputs alone are no new version: a copy has the learner's own.
    """
    cells = [[cell.get("id"), content(cell), cell.metadata] for cell in notebook.cells]
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()[:12]


def origin(notebook: NotebookNode) -> Origin | None:
    """Return what a copy says it was made from, None where it says nothing (any more)."""
    course = notebook.metadata.get("course")
    said = course.get("copy_of") if isinstance(course, dict) else None
    if not isinstance(said, dict) or not {"chapter", "version"} <= set(said):
        return None
    return Origin(str(said["chapter"]), str(said["version"]))


def record_origin(notebook: NotebookNode, source: Origin) -> NotebookNode:
    """Return the notebook, in whose metadata it now stands what it was made from."""
    notebook.metadata.setdefault("course", NotebookNode())["copy_of"] = NotebookNode(source._asdict())
    return notebook


def keep_base(desk: Desk, source: Origin, chapter: NotebookNode) -> None:
    """Keep the pristine chapter for later merges, unless it is there. Raises OSError."""
    path = _path(desk, source)
    if _base(path) is None:
        atomic.make_folder(path.parent)
        atomic.write(path, text(pristine(chapter)))


def bases_of(desk: Desk, name: str) -> list[Path]:
    """Return the files of the pristine versions kept of the chapter `name`, none for what never was a chapter."""
    return sorted(path for path in desk.bases.glob("*.ipynb") if path.stem.rpartition(" ")[0] == name)


def find_base(desk: Desk, name: str, mine: NotebookNode, new: NotebookNode) -> NotebookNode:
    """Return the pristine chapter that the copy `mine` of chapter `name` was made from.

    Where the copy does not say it: of those kept, the one that has the most of its cells. Where none is kept: the
    new chapter with other texts, so that each difference counts as changed on both sides, and nothing is lost.
    """
    said = origin(mine)
    paths = [_path(desk, said)] if said else bases_of(desk, name)
    known = list(filter(None, map(_base, paths)))
    there = {content(cell) for cell in mine.cells}
    if known:
        return max(known, key=lambda base: len(there & {content(cell) for cell in base.cells}))
    unknown = pristine(new)
    for cell in unknown.cells:
        cell.source = f"\0{cell.source}"  # which nobody has typed
    return unknown


def _base(path: Path) -> NotebookNode | None:
    try:
        return parse(read_plain(path))
    except (
        OSError,
        ValueError,
        Unreadable,
    ):  # a damaged one, or a name that no file can have, says as little as none
        return None


def text(notebook: NotebookNode) -> bytes:
    """Return the bytes of a notebook's file."""
    try:
        return (nbformat.v4.writes(notebook) + "\n").encode("utf-8")
    except UnicodeEncodeError:  # half a character, as a program may print it: JSON has an escape for it
        return (nbformat.v4.writes(notebook, ensure_ascii=True) + "\n").encode("utf-8")


def _path(desk: Desk, source: Origin) -> Path:
    return desk.bases / f"{Path(source.chapter).name} {Path(source.version).name}.ipynb"
