"""The core of a chapter: what later chapters need, without the cells tagged `further`."""

from nbformat import NotebookNode

from lessonkit.notebook.cells import tags
from lessonkit.notebook.tags import FURTHER


def keep_core(nb: NotebookNode) -> int:
    """Remove, in place, every cell tagged `further`; return how many were removed."""
    before = len(nb.cells)
    nb.cells = [cell for cell in nb.cells if FURTHER not in tags(cell)]
    return before - len(nb.cells)
