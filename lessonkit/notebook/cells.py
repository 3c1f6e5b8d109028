"""The cells of a notebook: which are executed, which belong to the core, their labels, and what they printed."""

import re

from nbformat import NotebookNode

from lessonkit.notebook.tags import EXERCISE, FURTHER, QUESTION

ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def code_cells(nb: NotebookNode) -> list[NotebookNode]:
    """Return the cells that are executed, in order; the one with injected parameters is not counted.

    Counted from 1, so a cell's number is the execution count it has after Run All.
    """
    return [
        cell
        for cell in nb.cells
        if cell.cell_type == "code" and cell.source.strip() and "injected-parameters" not in tags(cell)
    ]


def tags(cell: NotebookNode) -> list[str]:
    """Return the tags of a cell, none for one without."""
    return cell.metadata.get("tags", [])


def wants_answer(cell: NotebookNode) -> bool:
    """Return whether a learner answers in a cell: an exercise, or a question with letters."""
    return bool({EXERCISE, QUESTION} & set(tags(cell)))


def core_of(nb: NotebookNode) -> NotebookNode:
    """Return a notebook of the cells that are not tagged `further`; they are the same cells, not copies."""
    core = NotebookNode(nb)
    keep_core(core)
    return core


def keep_core(nb: NotebookNode) -> int:
    """Remove, in place, every cell tagged `further`; return how many were removed."""
    before = len(nb.cells)
    nb.cells = [cell for cell in nb.cells if FURTHER not in tags(cell)]
    return before - len(nb.cells)


def label(number: int, cell: NotebookNode) -> str:
    """Return `cell 7: first line` (at most 70 characters of it)."""
    return f"cell {number}: {cell.source.strip().splitlines()[0].strip()[:70]}"


def stream(cell: NotebookNode, name: str) -> str:
    """Return everything a cell wrote to `name` ("stdout" or "stderr"), without colours."""
    outputs = [output for output in cell.outputs if output.output_type == "stream" and output.name == name]
    return without_colours("".join(output.text for output in outputs))


def without_colours(text: str) -> str:
    """Return `text` without ANSI's codes for colours."""
    return ANSI.sub("", text)
