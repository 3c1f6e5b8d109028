"""The outputs of an executed notebook, normalised and stored in the chapter it was executed from."""

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.validator import ValidationError

from lessonkit.notebook.catalog import Chapter
from lessonkit.notebook.cells import code_cells, label, tags
from lessonkit.notebook.outputs import Unfit, fingerprint, tidy
from lessonkit.notebook.tags import LIVE_OUTPUT, UNCOMPARED
from lessonkit.system import atomic
from lessonkit.system.plain_file import open_plain

# What nbformat raises for JSON of another shape, and our own reading of it.
_ODD = (AttributeError, LookupError, TypeError, ValueError, ArithmeticError, RecursionError)
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
NOISE = ("papermill", "execution", "collapsed", "scrolled", "ExecuteTime", "widgets", "signature")
MADE_FROM = "outputs_of"  # cell metadata: fingerprint of the source that the kept outputs came from


def store(chapter: Chapter, executed: Path, *, renew: bool = False) -> int:
    """Write the outputs of the notebook `executed` into the chapter; return in how many cells they changed.

    Raises `Unfit` when an output must not be stored, OSError where the disk is full; the chapter is then as it was.
    """
    source, run = _read(chapter.path), _read(executed)
    try:
        changed = transfer(source, run, renew=renew)
        text = nbformat.writes(source, version=4) + "\n"
    except _ODD as error:
        raise Unfit(f"{executed} is not this chapter executed ({type(error).__name__}: {error})"[:300]) from error
    atomic.write(chapter.path, text.encode())  # the chapter itself: a full disk must not cost it
    return changed


def _read(path: Path) -> NotebookNode:
    """Return the notebook in a file. Raises `Unfit` for what is none."""
    try:
        with open_plain(path) as file:
            return nbformat.reads(file.read().decode("utf-8"), as_version=4)
    except (OSError, ValidationError, *_ODD) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise Unfit(f"{path} is not a notebook: {reason[:200]}") from error


def transfer(source: NotebookNode, executed: NotebookNode, *, renew: bool) -> int:
    """Replace, in place, the outputs in `source` by those in `executed`; return in how many cells they changed.

    Raises `Unfit` naming every cell with an output that must not be stored.
    """
    changed, unfit = 0, []
    for number, (cell, run) in enumerate(zip(code_cells(source), code_cells(executed), strict=True), start=1):
        old = cell.outputs
        try:
            cell.outputs = outputs(cell, run, number=number, renew=renew)
        except Unfit as error:
            unfit.append(f"{label(number, cell)} -> {error}")
        cell.execution_count = number
        changed += old != cell.outputs
    if unfit:
        raise Unfit("\n    ".join(["", *unfit]))
    for position, cell in enumerate(source.cells):
        cell.setdefault("id", f"cell-{position:02}")
        cell.metadata = {key: value for key, value in cell.metadata.items() if key not in NOISE and value != []}
        if cell.cell_type == "code" and not cell.source.strip():
            cell.outputs, cell.execution_count = [], None
    source.nbformat, source.nbformat_minor = 4, max(5, source.nbformat_minor)
    others = {key: value for key, value in source.metadata.items() if key not in NOISE}
    # No version of Python: it would change with every machine.
    source.metadata = nbformat.from_dict(others | {"kernelspec": KERNEL, "language_info": {"name": "python"}})
    return changed


def outputs(cell: NotebookNode, run: NotebookNode, *, number: int, renew: bool) -> list[NotebookNode]:
    """Return the outputs to store for `cell`, whose executed twin is `run`; note in its metadata what they are of.

    Those that depend on the machine are kept as they are while the source is the same, unless `renew`.
    Raises `Unfit` for one that must not be stored.
    """
    if LIVE_OUTPUT in tags(cell):
        return []
    changes = UNCOMPARED in tags(cell)
    mark = fingerprint(cell.source)
    if changes and cell.outputs and cell.metadata.get(MADE_FROM) == mark and not renew:
        return tidy(cell.outputs, number=number, changes=True)
    if changes:
        cell.metadata[MADE_FROM] = mark
    else:
        cell.metadata.pop(MADE_FROM, None)
    return tidy(run.outputs, number=number, changes=changes)
