"""Find chapters, choose among them, and read what each says of itself: title, data sets, parameters, questions."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lessonkit.checks.multiple_choice import Question
from lessonkit.notebook.reader import Unreadable, load, parse, read_json
from lessonkit.system.course import course, hook
from lessonkit.system.errors import Refused
from lessonkit.system.place import PROJECT
from lessonkit.system.plain_file import read_plain

if TYPE_CHECKING:
    from nbformat import NotebookNode

NOTEBOOKS = PROJECT / course().notebooks
MINUTES = re.compile(r"(\d+) minutes(?: for the core, (\d+) with \*Further\*)?")
# What nbformat and papermill raise for JSON of another shape.
ODD = (AttributeError, LookupError, TypeError, ValueError, ArithmeticError, RecursionError)


@dataclass(frozen=True)
class Chapter:
    """One notebook of the course."""

    path: Path

    @property
    def name(self) -> str:
        """The file's name without its ending, `05_training`."""
        return self.path.stem

    @property
    def number(self) -> int:
        """What the name begins with, 5 of `05_training`."""
        return int(self.name.split("_", 1)[0])

    @property
    def slug(self) -> str:
        """What follows the number, `training` of `05_training`."""
        return self.name.split("_", 1)[1]


def find(folder: Path = NOTEBOOKS) -> list[Chapter]:
    """Return the chapters in `folder`, in order: every `NN_slug.ipynb`.

    Raises `Refused` when there is none.
    """
    found = [Chapter(path) for path in Path(folder).glob("*.ipynb") if re.match(r"\d+_\w", path.stem)]
    if not found:
        raise Refused(f"no chapter (NN_slug.ipynb) in {folder}")
    return sorted(found, key=lambda chapter: (chapter.number, chapter.name))


def select(chapters: list[Chapter], names: list[str] | tuple[str, ...]) -> list[Chapter]:
    """Return the chapters called `names`, by number (`5`, `05`) or slug (`training`, `05_training`); all for none.

    Raises `Refused` with the list of what exists.
    """
    if not names:
        return list(chapters)
    chosen = [chapter for chapter in chapters if any(_is_called(chapter, name) for name in names)]
    unknown = [name for name in names if not any(_is_called(chapter, name) for chapter in chapters)]
    if unknown:
        there = ", ".join(chapter.name for chapter in chapters)
        raise Refused(f"no chapter called {', '.join(unknown)}; there are: {there}")
    return chosen


def _is_called(chapter: Chapter, name: str) -> bool:
    if re.fullmatch(r"[0-9]+", name):
        return int(name) == chapter.number
    return name.removesuffix(".ipynb") in (chapter.name, chapter.slug)


def stated_minutes(title: str) -> tuple[int | None, int]:
    """Return the minutes of (core, whole) that a title cell states; core is None where it names one number only.

    Raises ValueError where the text names none.
    """
    found = MINUTES.search(title)
    if found is None:
        raise ValueError(f"no minutes in the title cell that begins with {title.splitlines()[:1]}")
    first, second = found.groups()
    return (int(first), int(second)) if second else (None, int(first))


def minutes(title: str) -> tuple[int, int]:
    """Return the minutes that a title cell states for the core and for the whole chapter, equal if it has one part.

    Raises ValueError where the text names none.
    """
    core, whole = stated_minutes(title)
    return (whole if core is None else core), whole


def claim(title: str) -> str:
    """Return the claim of a title cell, which follows the number in its first line: `# 05 · The same net …`."""
    return title.splitlines()[0].partition("·")[2].strip()


def notebook_of(chapter: Chapter, data: bytes | None = None) -> "NotebookNode":
    """Return a chapter's notebook; `data`: its bytes, where they are read already. Raises `Refused`."""
    try:
        return load(chapter.path) if data is None else parse(data)
    except (OSError, Unreadable) as error:
        raise Refused(f"{chapter.path} is not a notebook: {error}") from error


def data_sets(chapter: Chapter) -> list[str]:
    """Return the names of the data sets that a chapter may load, as its metadata (`course.data`) say.

    Raises `Refused` for a file that is no notebook.
    """
    course_says = _read_json(chapter)[0]["metadata"].get("course")
    names = course_says.get("data", []) if isinstance(course_says, dict) else []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise Refused(f"{chapter.path} names no data sets in `course.data`, but {str(names)[:40]!r}")
    return names


def repaired(chapters: list[Chapter]) -> list[str]:
    """Return a sentence for each thing in these chapters that is repaired as they are read.

    Example: `["00_start_here: Cell 4: `outputs` is missing and was read as empty; the text is whole."]`. Raises
    `Refused` for a file that is no notebook.
    """
    return [f"{chapter.name}: {sentence}" for chapter in chapters for sentence in _read_json(chapter)[1]]


def _read_json(chapter: Chapter) -> tuple[dict, list[str]]:
    try:
        return read_json(read_plain(chapter.path))
    except (OSError, Unreadable) as error:
        raise Refused(f"{chapter.path} is not a notebook: {error}") from error


def defaults(chapter: Chapter) -> dict[str, object]:
    """Return the parameters of a chapter's `parameters` cell and the values they have there.

    A default that is not a literal is given as its source text. Raises `Refused` for a file that is no notebook.
    """
    import papermill  # slow to import, and `course --help` must not wait for it
    from nbformat.validator import ValidationError

    try:
        found = papermill.inspect_notebook(load(chapter.path))
    except (Unreadable, ValidationError, OSError, AssertionError, *ODD) as error:
        reason = (str(error).splitlines() or ["no reason given"])[0][:120]
        raise Refused(f"{chapter.path} is not a notebook: {reason}") from error
    return {name: _literal(parameter["default"]) for name, parameter in found.items()}


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return text


def changed(
    chapter: Chapter, parameters: dict[str, object], *, optional: tuple[str, ...] = ()
) -> dict[str, object]:
    """Return those `parameters` that differ from the chapter's own defaults, and so must be injected.

    `optional` names may be missing from a chapter that has no use for them.
    Raises `Refused` for a parameter that the chapter does not have.
    """
    there = defaults(chapter)
    unknown = [name for name in parameters if name not in there and name not in optional]
    if unknown:
        names = ", ".join(there) or "none (it has no cell tagged `parameters`)"
        raise Refused(f"{chapter.name} has no parameter called {', '.join(unknown)}; it has: {names}")
    return {name: value for name, value in parameters.items() if name in there and there[name] != value}


def find_question(name: object) -> Question | None:
    """Return the question of that name, such as "case 7"; None where the course asks none so."""
    find = hook("letters")
    return find(name) if find else None
