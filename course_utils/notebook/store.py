"""The outputs of an executed notebook, normalised and stored in the chapter it was executed from."""

from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.notebook.catalog import Chapter
from course_utils.notebook.cells import code_cells, label, tags
from course_utils.notebook.outputs import Unfit, fingerprint, tidy

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
NOISE = ("papermill", "execution", "collapsed", "scrolled", "ExecuteTime", "widgets", "signature")
MADE_FROM = "outputs_of"  # cell metadata: fingerprint of the source that the kept outputs came from


def store(chapter: Chapter, executed: Path, *, renew: bool = False) -> int:
    """Write the outputs of the notebook `executed` into the chapter; return in how many cells they changed.

    Raises `Unfit`, and leaves the chapter as it was, when an output must not be stored.
    """
    source = nbformat.read(chapter.path, as_version=4)
    changed = transfer(source, nbformat.read(executed, as_version=4), renew=renew)
    text = nbformat.writes(source, version=4) + "\n"
    chapter.path.write_text(text, encoding="utf-8", newline="\n")
    return changed


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
    if "live-output" in tags(cell):
        return []
    changes = "nbval-ignore-output" in tags(cell)
    mark = fingerprint(cell.source)
    if changes and cell.outputs and cell.metadata.get(MADE_FROM) == mark and not renew:
        return tidy(cell.outputs, number=number, changes=True)
    if changes:
        cell.metadata[MADE_FROM] = mark
    else:
        cell.metadata.pop(MADE_FROM, None)
    return tidy(run.outputs, number=number, changes=changes)
