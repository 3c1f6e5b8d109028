"""Check the core path: the cells that a chapter marks as *Further*, and the minutes that its title states.

That the core runs alone is tried by the runner (`course run --core`).
"""

import re
from collections.abc import Iterator

from nbformat import NotebookNode

from lessonkit.notebook.catalog import stated_minutes
from lessonkit.notebook.cells import code_cells, core_of, tags
from lessonkit.notebook.reading_time import by_rule, of_cells
from lessonkit.notebook.tags import EXERCISE, FURTHER
from lessonkit.review.diagnostics import Finding, error, warning

LONGEST_CORE = 60  # minutes
CELLS, EXERCISES = range(20, 31), (2, 3)
WITHIN = 0.25  # how far the minutes of a title may be from the rule
HEADING = re.compile(r"#+ Further: \S")


def check(nb: NotebookNode) -> Iterator[Finding]:
    """Yield what is wrong with the core path of a notebook (errors), and what is too much of it (warnings)."""
    core = core_of(nb)
    if len(core.cells) == len(nb.cells):
        yield error("no cell is tagged `further`")
        return
    yield from parts(nb)
    if len(code_cells(core)) not in CELLS:
        yield warning(f"{len(code_cells(core))} code cells in the core, expected {CELLS[0]} to {CELLS[-1]}")
    found = [cell for cell in core.cells if EXERCISE in tags(cell)]
    if not found:
        yield error("the core has no exercise")
    elif len(found) not in EXERCISES:
        yield warning(f"{len(found)} exercises in the core, expected two or three")
    if of_cells(core) > LONGEST_CORE + 2.5:
        yield warning(f"{of_cells(core):.0f} minutes of core by the formula, expected at most {LONGEST_CORE}")
    if "skip this if" not in nb.cells[0].source.lower():
        yield error("the title cell has no line “Skip this if …”")
    yield from title(nb)


def parts(nb: NotebookNode) -> Iterator[Finding]:
    """Yield each part tagged `further` without its heading, and each such heading without the tag."""
    if FURTHER in tags(nb.cells[0]) or FURTHER in tags(nb.cells[-1]):
        yield error("the title or the last cell is tagged `further`")
    former = None
    for cell in nb.cells:
        heading = cell.cell_type == "markdown" and HEADING.match(cell.source)
        if FURTHER in tags(cell) and (former is None or FURTHER not in tags(former)) and not heading:
            yield error(f"a part tagged `further` begins without a heading “Further: …”: {cell.source[:50]!r}")
        if FURTHER not in tags(cell) and heading:
            yield error(f"a heading “Further: …” without the tag `further`: {cell.source[:50]!r}")
        former = cell


def title(nb: NotebookNode) -> Iterator[Finding]:
    """Yield what the title says of the minutes: both numbers must be there; the formula's are advice."""
    try:
        both = stated_minutes(nb.cells[0].source)
    except ValueError:  # the anatomy says so already
        return
    if both[0] is None:
        yield error("the title says one number of minutes, expected `NN minutes for the core, NN with *Further*`")
        return
    for kind, said, rule in zip(("core", "whole"), both, by_rule(nb), strict=True):
        if abs(said - rule) > WITHIN * rule:
            yield warning(f"{said} minutes in the title for the {kind}, {rule} by the formula")
