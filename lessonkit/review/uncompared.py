"""The cells whose outputs are not compared with the stored ones: those tagged `nbval-ignore-output`."""

from nbformat import NotebookNode

from lessonkit.notebook.cells import code_cells, label, tags

UNCOMPARED = "nbval-ignore-output"


def uncompared(nb: NotebookNode) -> list[str]:
    """Return `cell 7: first line` of each code cell whose output is not compared."""
    return [label(number, cell) for number, cell in enumerate(code_cells(nb), 1) if UNCOMPARED in tags(cell)]
