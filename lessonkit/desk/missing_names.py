"""Say below a NameError in a notebook which cell makes the name, where that cell was not run or was deleted.

`course lab` lets each kernel execute `kernel_startup.py`, which registers this. It says nothing of a name that no
cell of the notebook makes, because that is the learner's own slip.
"""

import os
import re
import symtable
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode


def register() -> None:
    """Follow the errors of this kernel; outside of one nothing happens."""
    module = sys.modules.get("IPython")  # not imported: then this is no kernel, but a terminal's Python
    if module and (shell := module.get_ipython()):
        shell.events.register("post_run_cell", after_cell)


def after_cell(result: object) -> None:
    """Print the advice on the error of a cell, which IPython calls a result's `error_in_exec`."""
    error = getattr(result, "error_in_exec", None)
    if type(error) is not NameError or not error.name:
        return
    try:
        advice = advice_on(error.name, Path(os.environ.get("JPY_SESSION_NAME", "")), ran=result.info.raw_cell)
    except Exception:  # noqa: BLE001 - an advice that cannot be given must not hide the error itself
        return
    if advice:
        print(advice)


def advice_on(name: str, path: Path, *, ran: str = "") -> str:
    """Return which cell of the notebook at `path` makes a name that is missing; empty where none does.

    `ran`: the text of the cell that raised, which is none of those to run first.
    """
    from lessonkit.notebook.reader import load

    if not path.is_file():
        return ""
    notebook = load(path)
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.source.strip() != ran.strip() and name in names_made_by(cell.source):
            return (
                f"`{name}` is made by the cell with the line `{_line_with(name, cell.source)}`, and that cell "
                "has not run in this kernel. Run it first. The menu's Run → Run All Above Selected Cell runs it "
                "and all cells between."
            )
    return _of_deleted_exercise(name, notebook)


def names_made_by(source: str) -> set[str]:
    """Return the names that a cell makes: imports, assignments, functions, classes; none for what is no Python.

    >>> sorted(names_made_by("import torch.nn as nn; x, y = 1, 2; print(z)"))
    ['nn', 'x', 'y']
    """
    plain = "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in source.splitlines())
    try:
        table = symtable.symtable(plain, "cell", "exec")
    except (SyntaxError, ValueError):
        return set()
    return {one.get_name() for one in table.get_symbols() if one.is_assigned() or one.is_imported()}


def _line_with(name: str, source: str) -> str:
    """Return the first line of a cell in which a name stands, of at most 80 characters."""
    lines = (line.strip() for line in source.splitlines() if not line.lstrip().startswith("#"))
    found = next((line for line in lines if re.search(rf"\b{re.escape(name)}\b", line)), name)
    return found if len(found) <= 80 else f"{found[:79]}…"


def _of_deleted_exercise(name: str, notebook: "NotebookNode") -> str:
    """Return how to get an exercise back whose cell is not in the copy any more."""
    from lessonkit.desk.folder import Desk, work_folder
    from lessonkit.desk.merge_base import origin
    from lessonkit.desk.restore import exercises_in
    from lessonkit.notebook.catalog import find, notebook_of

    made_from = origin(notebook)
    chapters = [one for one in find(Desk(work_folder()).originals) if made_from and one.name == made_from.chapter]
    for chapter in chapters:
        if name in exercises_in(notebook_of(chapter)):
            return (
                f"`{name}` is an exercise, and its cell is not in your copy any more. In a terminal, "
                f"`course restore {chapter.number:02} {name}` brings it back."
            )
    return ""
