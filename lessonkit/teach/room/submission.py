"""Read a submitted notebook: find its chapter, and for each exercise the cells to run."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from nbformat import NotebookNode

from lessonkit.desk.matching import names as tasks_in
from lessonkit.desk.merge_base import origin, version_of
from lessonkit.notebook.catalog import Chapter
from lessonkit.notebook.cells import tags
from lessonkit.notebook.reader import Unreadable, parse
from lessonkit.notebook.tags import EXERCISE, FURTHER, QUESTION
from lessonkit.system.course import course
from lessonkit.system.plain_file import open_plain
from lessonkit.teach.room.file_types import LARGEST
from lessonkit.teach.room.hand_in_reader import NoNotebook, Read, read_notebook
from lessonkit.teach.room.needed_cells import Piece, Statement, names, needed, plain_python, statements

_LONGEST_CELL = 200_000  # characters
_ASKED = "ask "


@dataclass(frozen=True)
class Task:
    """An exercise, or a question with letters ("case 7", `asked`), and the statements of our chapter above it."""

    name: str
    asked: bool
    further: bool
    ids: frozenset[str]  # of the cells that check it
    above: tuple[Statement, ...]


@dataclass(frozen=True)
class Answer:
    """A learner's cells for one task, and what they need: all there is to run. `cells`: those cells as typed."""

    pieces: tuple[Piece, ...]
    trouble: str = ""  # why they cannot be run
    cells: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class Submission:
    """A notebook that was read: its answers by task, and the tasks in it that our chapter does not have.

    `current`: whether it was made from this version of the chapter, as far as that can be told.
    """

    answers: dict[str, Answer]
    unknown: tuple[str, ...]
    current: bool


def read(path: Path) -> bytes:
    """Return the bytes of a submission. Raises `Unreadable` for one that is no file or too large."""
    try:
        if path.is_symlink() or not path.is_file():
            raise Unreadable("it is a link or no file: hand in the notebook itself")
        size = path.stat().st_size
        if size > LARGEST:
            raise Unreadable(
                f"it has {size / 2**20:.0f} MB, at most {LARGEST // 2**20} are read: clear its outputs"
            )
        with open_plain(path) as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise Unreadable("it grew while it was read: hand it in again")
        return data
    except OSError as error:
        raise Unreadable(f"it cannot be read: {error.strerror}") from None


def parsed(data: bytes) -> NotebookNode:
    """Return the notebook in a submission's bytes. Raises `Unreadable`, whatever they are."""
    return opened(data).notebook


def opened(data: bytes) -> Read:
    """Return the notebook in a submission's bytes and what was odd in it. Raises `Unreadable`, as `parsed` does."""
    try:
        return read_notebook(data)
    except NoNotebook as error:
        raise Unreadable(str(error)) from None


def chapter_of(path: Path, notebook: NotebookNode | None, chapters: Sequence[Chapter]) -> Chapter | None:
    """Return the chapter of a submission: as its copy says, by the exercises it imports, by the file's name."""
    said = origin(notebook) if notebook is not None else None
    for chapter in chapters:
        if said is not None and chapter.name == said.chapter:
            return chapter
    slugs = [slug for cell in notebook.cells for slug in imported(cell.source)] if notebook is not None else []
    found = [chapter for slug in slugs for chapter in chapters if chapter.slug == slug]
    found += [chapter for chapter in chapters if chapter.name in path.stem]
    return found[0] if found else None


def imported(source: str) -> list[str]:
    """Return the slugs of the chapters whose exercises a cell imports (`from PACKAGE.exercises import nets`)."""
    return re.findall(rf"{re.escape(course().exercises)} import (\w+)", source)


@lru_cache
def tasks(chapter: Chapter) -> tuple[Task, ...]:
    """Return the tasks of one of our chapters, in order."""
    notebook = parse(chapter.path.read_bytes())
    above, found = [], []
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        if {EXERCISE, QUESTION} & set(tags(cell)):
            for name in tasks_in(cell):
                asked, ids = name.startswith(_ASKED), frozenset({cell.get("id", "")})
                name = name.removeprefix(_ASKED)
                found.append(Task(name, asked, FURTHER in tags(cell), ids, tuple(above)))
        else:
            above += statements([(f"cell {number} of the chapter", cell.source)])
    return tuple(found)


def key_of(task: Task) -> str:
    """Return the name of a task as its cell gives it: that of an exercise, or `ask case 7`."""
    return f"{_ASKED}{task.name}" if task.asked else task.name


def submission(notebook: NotebookNode, chapter: Chapter) -> Submission:
    """Return what a notebook answers of a chapter."""
    code = [(f"cell {n}", cell) for n, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    shown = _shown(chapter)
    theirs = statements((label, cell.source) for label, cell in code if len(cell.source) <= _LONGEST_CELL)
    answers = {}
    for task in tasks(chapter):
        key = key_of(task)
        cells = {
            label: cell
            for label, cell in code
            if cell.get("id") in task.ids
            or (key in tasks_in(cell) and cell.get("id") not in shown and cell.source not in shown)
        }
        if cells:
            others = [one for one in theirs if one.piece.label not in cells]
            typed = {label: cell.source for label, cell in cells.items()}
            as_typed = tuple(Piece(label, source) for label, source in typed.items())
            answers[task.name] = replace(_answer(task, typed, others), cells=as_typed)
    marked = [name for _, cell in code if {EXERCISE, QUESTION} & set(tags(cell)) for name in tasks_in(cell)]
    unknown = {name.removeprefix(_ASKED) for name in marked} - {task.name for task in tasks(chapter)}
    said = origin(notebook)
    current = not unknown and (said is None or said.version == _version(chapter))
    return Submission(answers, tuple(sorted(unknown)), current)


@lru_cache
def _version(chapter: Chapter) -> str:
    """Return the version of a chapter as it is here, with which each submission of a room is compared."""
    return version_of(parse(chapter.path.read_bytes()))


@lru_cache
def _shown(chapter: Chapter) -> frozenset[str]:
    """Return ids and texts of the chapter's own cells that are no task: some check an answer to show a verdict."""
    own = [cell for cell in parse(chapter.path.read_bytes()).cells if not {EXERCISE, QUESTION} & set(tags(cell))]
    return frozenset({*(cell.get("id", "") for cell in own), *(cell.source for cell in own)})


def _answer(task: Task, cells: dict[str, str], others: list[Statement]) -> Answer:
    pieces = []
    for label, source in cells.items():
        if len(source) > _LONGEST_CELL:
            return Answer((), f"{label} has {len(source)} characters, at most {_LONGEST_CELL} are looked at")
        try:
            pieces.append(Piece(label, plain_python(source)))
            names(pieces[-1].source)  # what the compiler refuses, and the parser takes
        except SyntaxError as error:
            return Answer((), f"{label}, line {error.lineno}: SyntaxError: {error.msg}")
        except (ValueError, RecursionError, MemoryError) as error:
            return Answer((), f"{label} is not Python: {type(error).__name__}")
    return Answer((*needed(pieces, ours=task.above, theirs=others), *pieces))


def digest(data: bytes) -> str:
    """Return a digest of a submission's bytes, by which an earlier result is known to be of the same."""
    return hashlib.sha256(data).hexdigest()
