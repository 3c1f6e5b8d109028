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

from lessonkit.desk.folder import Desk
from lessonkit.desk.matching import content
from lessonkit.notebook.reader import Unreadable, load
from lessonkit.system import atomic

_OWN = "own"  # what a copy says of its outputs


class Origin(NamedTuple):
    """What a copy was made from."""

    chapter: str  # `05_training`
    version: str  # as `version_of` says it


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
    """Return the notebook, whose metadata now say what it was made from, and that no output in it is ours."""
    said = NotebookNode(source._asdict(), outputs=_OWN)
    notebook.metadata.setdefault("course", NotebookNode())["copy_of"] = said
    return notebook


def says_own_outputs(notebook: NotebookNode) -> bool:
    """Return whether a copy says that its outputs are the learner's; those from before December 2026 do not."""
    course = notebook.metadata.get("course")
    said = course.get("copy_of") if isinstance(course, dict) else None
    return isinstance(said, dict) and said.get("outputs") == _OWN


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
        return load(path)
    except (OSError, ValueError, Unreadable):  # a damaged one, or a name that no file can have: as good as none
        return None


def text(notebook: NotebookNode) -> bytes:
    """Return the bytes of a notebook's file."""
    try:
        return (nbformat.v4.writes(notebook) + "\n").encode("utf-8")
    except UnicodeEncodeError:  # half a character, as a program may print it: JSON has an escape for it
        return (nbformat.v4.writes(notebook, ensure_ascii=True) + "\n").encode("utf-8")


def _path(desk: Desk, source: Origin) -> Path:
    return desk.bases / f"{Path(source.chapter).name} {Path(source.version).name}.ipynb"
