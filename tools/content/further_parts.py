"""Where *Further* stands: behind the core, each part folded under a heading and a sentence that introduces it."""

import re

from lessonkit.notebook import folds
from lessonkit.notebook.cells import tags
from lessonkit.notebook.tags import EXERCISE, FURTHER
from lessonkit.review.chapter import readable
from lessonkit.review.diagnostics import at, error

HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)
NUMBER = re.compile(r"^### Exercise (\d+):", re.MULTILINE)
MOST_WORDS, LEAST_WORDS = 80, 8  # of the text below the heading of a part


def findings(chapters):
    """Yield what is wrong with the parts of each chapter."""
    for chapter, book in readable(chapters):
        yield from at(chapter.name, check(book))


def check(book):
    """Yield a core cell behind *Further*, a part without its heading cell, and exercises out of order."""
    further = [number for number, cell in enumerate(book.cells) if FURTHER in tags(cell)]
    for number, cell in enumerate(book.cells[:-1]):
        if further and number > further[0] and FURTHER not in tags(cell):
            yield error(
                f"cell {number} of the core stands behind the first part of *Further*: {cell.source[:40]!r}"
            )
    if further and FURTHER in tags(book.cells[-1]):
        yield error("the last cell is tagged `further`; it closes the core as well")
    for number, cell in enumerate(book.cells):
        yield from _part(number, cell, first=bool(further) and number == further[0])
    numbers = [int(found) for cell in book.cells for found in NUMBER.findall(_above(cell))]
    asked = sum(EXERCISE in tags(cell) for cell in book.cells)
    if numbers != list(range(1, len(numbers) + 1)):
        yield error(f"the exercises have the numbers {numbers}, expected 1 to {len(numbers)} in order")
    if len(numbers) > asked:
        yield error(f"{len(numbers)} headings of exercises and {asked} cells for an answer")


def _above(cell):
    return cell.source if cell.cell_type == "markdown" else ""


def _part(number, cell, *, first):
    headings = HEADING.findall(_above(cell))
    begins = any(heading.startswith("## Further: ") for heading in headings)
    if first and not begins:
        yield error(f"cell {number} is the first of *Further* and has no heading `## Further: …`")
    if not begins:
        if folds.HEADING in cell.metadata:
            yield error(f"cell {number} is folded as a section and is no heading of *Further*")
        return
    if FURTHER not in tags(cell):
        yield error(f"cell {number} is headed *Further* and not tagged `further`")
    if len(headings) > 1 or not cell.source.startswith(headings[0]):
        yield error(f"cell {number}: the heading {headings[0]!r} does not stand in a cell of its own")
        return
    words = len(cell.source.split("\n", 1)[-1].split()) if "\n" in cell.source else 0
    if not LEAST_WORDS <= words <= MOST_WORDS:
        yield error(f"cell {number}: {words} words say what is in {headings[0]!r}, expected one or two sentences")
    if not folds.is_folded(cell, folds.HEADING):
        yield error(f"cell {number}: {headings[0]!r} is not folded; give it the metadata {folds.HEADING!r}: true")
