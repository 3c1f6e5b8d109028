"""The author's command: executes chapters and stores their outputs in the notebooks, normalised."""

from pathlib import Path

import click
import nbformat

from course_utils.notebook.catalog import Chapter, find, select
from course_utils.notebook.outcome import code_cells, label, tags
from course_utils.notebook.outputs import Unfit, fingerprint, tidy
from course_utils.runner import run as order

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
NOISE = ("papermill", "execution", "collapsed", "scrolled", "ExecuteTime", "widgets", "signature")
MADE_FROM = "outputs_of"  # cell metadata: fingerprint of the source that the kept outputs came from


def refresh(names: tuple[str, ...], *, notebooks: Path, out: Path, renew: bool = False) -> int:
    """Executes the chapters untouched and writes their outputs; returns the exit status, 0 when all were written.

    A chapter that fails, or has an output that must not be stored, is left as it was; the others are written.
    """
    chapters = select(find(notebooks), names)
    wanted = tuple(chapter.name for chapter in chapters)
    before = {chapter.name: chapter.path.read_bytes() for chapter in chapters}
    status = order.carry_out(order.Order(names=wanted, out=out.resolve(), notebooks=notebooks))
    if status == order.INTERRUPTED:
        return status
    passed = order.passed_in(out)
    for chapter in chapters:
        if chapter.name not in passed:
            click.echo(f"{chapter.name}: not written, it did not pass")
        elif chapter.path.read_bytes() != before[chapter.name]:
            status = order.FAILED
            click.echo(f"{chapter.name}: not written, it was edited while it ran; refresh it again")
        else:
            status = max(status, store(chapter, out / f"{chapter.name}.ipynb", renew=renew))
    return status


def store(chapter: Chapter, executed: Path, *, renew: bool = False) -> int:
    """Writes the outputs of the notebook `executed` into the chapter; returns 0, or 1 when one is unfit."""
    source = nbformat.read(chapter.path, as_version=4)
    try:
        changed = transfer(source, nbformat.read(executed, as_version=4), renew=renew)
    except Unfit as error:
        click.echo(f"{chapter.name}: not written, {error}")
        return order.FAILED
    text = nbformat.writes(source, version=4) + "\n"
    chapter.path.write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"{chapter.name}: written, outputs of {changed} cells changed")
    return order.PASSED


def transfer(source, executed, *, renew: bool) -> int:
    """Replaces, in place, the outputs in `source` by those in `executed`; returns in how many cells they changed.

    Raises `Unfit` naming every cell with an output that must not be stored.
    """
    changed, unfit = 0, []
    for number, (cell, run) in enumerate(zip(code_cells(source), code_cells(executed), strict=True), start=1):
        old = cell.outputs
        try:
            cell.outputs = _outputs(cell, run, number=number, renew=renew)
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


def _outputs(cell, run, *, number: int, renew: bool) -> list:
    """The outputs to store for `cell`, whose executed twin is `run`.

    Those that depend on the machine are kept as they are while the source is the same, unless `renew`.
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
