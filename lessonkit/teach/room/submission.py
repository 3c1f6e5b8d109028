"""Read a submitted notebook: find its chapter, and for each exercise the answers to run."""

import ast
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from nbformat import NotebookNode

from lessonkit.checks.outcomes import OF_THE_CHAPTER
from lessonkit.desk.matching import names as tasks_in
from lessonkit.desk.merge_base import origin, version_of
from lessonkit.notebook.catalog import Chapter
from lessonkit.notebook.cells import tags, wants_answer
from lessonkit.notebook.reader import HandIn, Unreadable, parse, read_hand_in
from lessonkit.notebook.tags import FURTHER
from lessonkit.system.course import course
from lessonkit.system.plain_file import open_plain
from lessonkit.teach.room.candidates import candidates
from lessonkit.teach.room.file_types import LARGEST
from lessonkit.teach.room.needed_cells import Notebook, Piece, Statement, of_cell, statements
from lessonkit.teach.room.not_here import Trouble, trouble_of
from lessonkit.teach.room.notebook_says import passed_there, python_of

_LONGEST_CELL = 200_000  # characters
_ASKED = "ask "


@dataclass(frozen=True)
class Task:
    """An exercise, or a question with letters ("case 7", `asked`), and the statements of our chapter above it.

    `stubs`: what its cell binds to its name, as `ast.unparse` writes it.
    """

    name: str
    asked: bool
    further: bool
    ids: frozenset[str]  # of the cells that check it
    above: tuple[Statement, ...]
    stubs: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Answer:
    """One answer of a learner's to a task: the value of `given` after what it needs has run.

    `cell`: where it was checked or, not `checked`, defined. `inside`: the last piece hands it to the check, and
    what it is there is all that is known of it. `wider`: pieces to run where the answer does not pass with these,
    among them what may have altered its objects; empty where there are no others.
    """

    pieces: tuple[Piece, ...]
    given: Piece | None = None
    cell: str = ""
    checked: bool = True
    inside: bool = False
    wider: tuple[Piece, ...] = ()
    trouble: Trouble | None = None  # why it cannot be run


@dataclass(frozen=True)
class Submission:
    """A notebook that was read: its answers by task, and the tasks in it that our chapter does not have.

    A task whose cell is there, and no answer, has none. `current`: whether it was made from this version of the
    chapter, as far as that can be told. `python`: the version that it was written for, empty where it does not say;
    `passed_there`: tasks whose check had passed, by the outputs that are stored in it. `sources`: its code cells as
    typed, by the labels that pieces have.
    """

    answers: dict[str, tuple[Answer, ...]]
    unknown: tuple[str, ...]
    current: bool
    python: str = ""
    passed_there: frozenset[str] = frozenset()
    sources: dict[str, str] = field(default_factory=dict)


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


def opened(data: bytes) -> HandIn:
    """Return the notebook in a submission's bytes and what was odd in it. Raises `Unreadable`, as `parsed` does."""
    try:
        return read_hand_in(data)
    except Unreadable as error:
        fix = f"{error.fix}, and hand it in" if error.fix else "hand in the .ipynb itself, as Jupyter saves it"
        raise Unreadable(error.found, fix) from None


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
        if wants_answer(cell):
            for name in tasks_in(cell):
                asked, ids = name.startswith(_ASKED), frozenset({cell.get("id", "")})
                name = name.removeprefix(_ASKED)
                stubs = frozenset(
                    ast.unparse(one.node)
                    for one in statements([("", cell.source)])
                    if one.binds
                    if asked or name in one.binds
                )
                found.append(Task(name, asked, FURTHER in tags(cell), ids, tuple(above), stubs))
        else:
            above += statements([(f"cell {number}{OF_THE_CHAPTER}", cell.source)])
    return tuple(found)


def key_of(task: Task) -> str:
    """Return the name of a task as its cell gives it: that of an exercise, or `ask case 7`."""
    return f"{_ASKED}{task.name}" if task.asked else task.name


def submission(notebook: NotebookNode, chapter: Chapter) -> Submission:
    """Return what a notebook answers of a chapter."""
    code = {f"cell {n}": cell for n, cell in enumerate(notebook.cells) if cell.cell_type == "code"}
    shown, course_cells, python = _shown(chapter), _statements_of(chapter), python_of(notebook)
    theirs: list[Statement] = []
    troubles: dict[str, Trouble] = {}
    for label, cell in code.items():
        try:
            if len(cell.source) > _LONGEST_CELL:
                raise ValueError(f"it has {len(cell.source)} characters, at most {_LONGEST_CELL} are looked at")
            theirs += of_cell(label, cell.source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            troubles[label] = trouble_of(error, label, cell.source, python)
    answers = {}
    for task in tasks(chapter):
        key = key_of(task)
        those = _answers(task, theirs, course_cells)
        its = [
            label
            for label, cell in code.items()
            if cell.get("id") in task.ids
            or (key in tasks_in(cell) and cell.get("id") not in shown and cell.source not in shown)
        ]
        broken = [label for label in troubles if label in its or _defines(code[label].source, task)]
        those += [Answer((), cell=label, trouble=troubles[label]) for label in broken]
        if those or its:
            answers[task.name] = tuple(sorted(those, key=lambda one: int(one.cell.removeprefix("cell "))))
    marked = [name for cell in code.values() if wants_answer(cell) for name in tasks_in(cell)]
    unknown = {name.removeprefix(_ASKED) for name in marked} - {task.name for task in tasks(chapter)}
    said = origin(notebook)
    current = not unknown and (said is None or said.version == _version(chapter))
    sources = {label: cell.source for label, cell in code.items()}
    return Submission(answers, tuple(sorted(unknown)), current, python, passed_there(notebook), sources)


def _answers(task: Task, theirs: list[Statement], course_cells: dict[str, str]) -> list[Answer]:
    course = {number for number, one in enumerate(theirs) if ast.unparse(one.node) in course_cells}
    narrow, wide = (Notebook(theirs, task.above, wide=wide, course=course) for wide in (False, True))
    found = candidates(task.name, narrow, wide, asked=task.asked, stubs=task.stubs, course_cells=course_cells)
    return [
        Answer(
            one.pieces, one.given, one.cell, one.checked, one.inside, one.wider if one.wider != one.pieces else ()
        )
        for one in found
    ]


def _defines(source: str, task: Task) -> bool:
    """Return whether a text that is no Python here was to define a task's answer."""
    wanted = rf"^(?:async\s+def|def|class)\s+{task.name}\b|^{task.name}\s*="
    return not task.asked and bool(re.search(wanted, source, re.MULTILINE))


@lru_cache
def _statements_of(chapter: Chapter) -> dict[str, str]:
    """Return the statements of the chapter's own cells that are no task: text -> what an error calls the cell."""
    cells = parse(chapter.path.read_bytes()).cells
    own = [(n, one) for n, one in enumerate(cells) if one.cell_type == "code"]
    own = [(f"cell {n}{OF_THE_CHAPTER}", one.source) for n, one in own if not wants_answer(one)]
    return {ast.unparse(one.node): one.piece.label for one in reversed(statements(own))}


@lru_cache
def _version(chapter: Chapter) -> str:
    """Return the version of a chapter as it is here, with which each submission of a room is compared."""
    return version_of(parse(chapter.path.read_bytes()))


@lru_cache
def _shown(chapter: Chapter) -> frozenset[str]:
    """Return ids and texts of the chapter's own cells that are no task: some check an answer to show a verdict."""
    own = [cell for cell in parse(chapter.path.read_bytes()).cells if not wants_answer(cell)]
    return frozenset({*(cell.get("id", "") for cell in own), *(cell.source for cell in own)})


def digest(data: bytes) -> str:
    """Return a digest of a submission's bytes, by which an earlier result is known to be of the same."""
    return hashlib.sha256(data).hexdigest()
