"""What a reader meets first: few imports or folded ones, and a line for who lacks the package."""

import ast
import re

from lessonkit.notebook.cells import code_cells, tags
from lessonkit.notebook.tags import PARAMETERS
from lessonkit.review.chapter import readable
from lessonkit.review.diagnostics import at, error, warning

LACKING = re.compile(
    r'# No such module\? Run "make setup" in the course\'s folder .*, and choose its \.venv as the kernel\.'
)
FOLDED = {"source_hidden": True}
MOST_UNFOLDED = 2  # imports that are shown


def findings(chapters):
    """Yield what is wrong with the first cells of the chapters."""
    for chapter, book in readable(chapters):
        yield from at(chapter.name, check(book, first_of_all=chapter.number == 0))


def check(book, *, first_of_all):
    """Yield what is wrong; the imports of the first chapter of all are shown, those of the others are folded."""
    first, second = code_cells(book)[:2]
    imports = [node for node in ast.parse(first.source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    if not imports:
        yield error("the first code cell imports nothing, expected what the chapter uses")
    if not LACKING.fullmatch(first.source.splitlines()[0]):
        yield error("the first line of code does not say what to install: `# No such module? Run …`")
    if PARAMETERS not in tags(second) or "jupyter" in second.metadata:
        yield error("the second code cell is not the parameters, or it is folded")
    folded = [cell for cell in book.cells if "jupyter" in cell.metadata]
    if first_of_all:
        if folded:
            yield error("a cell is folded: who has never seen a notebook shall see all of its cells")
        if len(imports) > MOST_UNFOLDED:
            yield warning(f"{len(imports)} imports are shown to a beginner, expected at most {MOST_UNFOLDED}")
        return
    if first.metadata.get("jupyter") != FOLDED:
        yield error("expected that the cell with the imports is folded")
    yield from unannounced([cell for cell in folded if cell is not first], book)
    before = book.cells[book.cells.index(first) - 1]
    if before.cell_type != "markdown" or "The next cell, folded in JupyterLab," not in before.source:
        yield error("the text before the imports does not say that the next cell is folded in JupyterLab")


def unannounced(folded, book):
    """Yield each folded cell, apart from the imports, whose fold the text right above it does not mention."""
    for cell in folded:
        before = book.cells[book.cells.index(cell) - 1]
        if before.cell_type != "markdown" or "folded" not in before.source:
            yield error(f"the text above a folded cell does not say that it is folded: {cell.source[:50]!r}")
