"""Bring one exercise back into a copy from which its cell was deleted; everything else in the copy stays."""

import copy
import secrets
from itertools import pairwise
from pathlib import Path

from nbformat import NotebookNode

from lessonkit.desk.as_opened import as_opened
from lessonkit.desk.folder import Desk
from lessonkit.desk.matching import names, pairs
from lessonkit.desk.merge_base import find_base, text
from lessonkit.desk.missing_names import names_made_by
from lessonkit.desk.storage import keep_old, opened, still_holds
from lessonkit.desk.trust import is_trusted, trust
from lessonkit.notebook.catalog import Chapter, notebook_of
from lessonkit.notebook.cells import wants_answer
from lessonkit.notebook.headings import headings, without_minutes
from lessonkit.notebook.reader import Unreadable, read
from lessonkit.notebook.tags import EXERCISE
from lessonkit.system import atomic
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain


def restore(desk: Desk, chapter: Chapter, name: str) -> str:
    """Put the cell of an exercise or question back where it stood; return a sentence that says so.

    `name`: its name, or its number or title as the text above it says, such as "3" or "ten accuracies".

    The text above it comes back too where that was deleted. The copy as it was goes to `old/`. Raises `Refused`
    where there is no such exercise, where its cell is there, and where the copy cannot be read or written.
    """
    original = as_opened(notebook_of(chapter))
    known = exercises_in(original)
    if name not in known:
        titles = _titles(original)
        wanted = name.casefold().removeprefix("exercise").strip()
        found = [one for one, title in titles.items() if wanted in title.casefold().split(": ", 1)]
        if len(found) != 1:
            has = [f"{one} ({titles[one]})" if one in titles else one for one in known]
            raise Refused(f"{chapter.name} has no exercise called {name}; it has: {', '.join(has)}")
        [name] = found
    path = desk.copy(chapter.name)
    with opened(desk):
        data, mine = _read(desk, chapter, path)
        if (number := known_place(mine, name)) is not None:
            raise Refused(
                f"{desk.shown(path)} has the exercise {name}: it is cell {number}, counted from 1. To get its "
                "first text back, delete that cell, save the chapter, and run `course restore` again"
            )
        base = find_base(desk, path.stem, mine, original)
        source = base if name in exercises_in(base) else original
        trusted = is_trusted(desk, mine)
        _insert(source, mine, name)
        old = keep_old(desk, path, data)
        still_holds(desk, path, data)
        atomic.write(path, text(mine))
        warning = trust(desk, [path]) if trusted else ""
    said = f"The exercise {name} is in {desk.shown(path)} again; your copy before it is {desk.shown(old)}."
    return f"{said} If the chapter is open, choose File, Reload Notebook from Disk. {warning}".rstrip()


def exercises_in(notebook: NotebookNode) -> list[str]:
    """Return the names of a chapter's exercises and questions, in order: `measure`, `case 7`."""
    asked = [cell for cell in notebook.cells if wants_answer(cell)]
    return [name.removeprefix("ask ") for cell in asked for name in names(cell)]


def _titles(notebook: NotebookNode) -> dict[str, str]:
    """Return exercise -> its number and title, from the heading above its cell: measure -> "2: a fair mean"."""
    found = {}
    for above, cell in pairwise(notebook.cells):
        said = [*headings(above.source)] if above.cell_type == "markdown" else []
        if said and EXERCISE in cell.metadata.get("tags", []):
            title = without_minutes(said[-1].text).removeprefix("Exercise ")
            found.update(dict.fromkeys(_plain(cell), title))
    return found


def known_place(notebook: NotebookNode, name: str) -> int | None:
    """Return the number, from 1, of the cell in which an exercise is to be answered; None where there is none.

    A cell of the learner's own that only calls the check is not it.
    """
    for number, cell in enumerate(notebook.cells, start=1):
        if name in _plain(cell):
            asks = wants_answer(cell)
            if asks or name in names_made_by(cell.source):
                return number
    return None


def _plain(cell: NotebookNode) -> list[str]:
    return [name.removeprefix("ask ") for name in names(cell)]


def _insert(source: NotebookNode, mine: NotebookNode, name: str) -> None:
    """Put the cell that checks `name`, and the text above it, behind the nearest cell before it that is there."""
    held = pairs(source.cells, mine.cells)
    place = next(position for position, cell in enumerate(source.cells) if name in _plain(cell))
    wanted = [place]
    if place and place - 1 not in held and source.cells[place - 1].cell_type == "markdown":
        wanted = [place - 1, place]
    behind = max((held[position] for position in held if position < wanted[0]), default=-1)
    used = {cell.get("id") for cell in mine.cells}
    for offset, position in enumerate(wanted, start=1):
        cell = copy.deepcopy(source.cells[position])
        if cell.get("id") in used:  # of a cell that the learner has made something else of
            cell["id"] = secrets.token_hex(4)
        mine.cells.insert(behind + offset, cell)


def _read(desk: Desk, chapter: Chapter, path: Path) -> tuple[bytes, NotebookNode]:
    try:
        data = read_plain(path)
        return data, read(data).notebook
    except FileNotFoundError:
        raise Refused(f"{desk.shown(path)} is not there; `course update` makes it") from None
    except (OSError, Unreadable) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Refused(
            f"{desk.shown(path)} cannot be read ({why}); "
            f"`course reset {chapter.number:02}` keeps it and makes a new copy"
        ) from None
