"""Estimate a reader's minutes: words / 44 + code cells x 0.53 + the exercises' own minutes x 0.37.

The numbers were fitted (least squares of the relative error) to how long readers who did not know the chapters
thought that each of the thirteen takes, 92 to 162 minutes as they then were: the largest miss was 17 %. A code cell
stands for reading, betting, running and its output; an exercise's own minutes are a slow reader's. A folded cell
(the imports) is not read, so it is not counted.

A cell may be a plain dictionary: nbformat is not imported, because the check that uses this must not wait for it.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lessonkit.notebook.headings import text_of
from lessonkit.notebook.tags import FURTHER

if TYPE_CHECKING:
    from nbformat import NotebookNode

WORDS_A_MINUTE, MINUTES_A_CELL, OF_AN_EXERCISE = 44, 0.53, 0.37
_OWN = re.compile(r"\((?:about )?(\d+) min\b[^)]*★")


def prose(words: int) -> float:
    """Return the minutes that so many words take."""
    return words / WORDS_A_MINUTE


def exercise(text: str) -> float:
    """Return the minutes that the first exercise in a text takes on top of its words; 0 for none."""
    found = _OWN.search(text)
    return int(found[1]) * OF_AN_EXERCISE if found else 0.0


def of_text(text: str) -> float:
    """Return the minutes of a Markdown text, not rounded."""
    return prose(len(text.split())) + exercise(text)


def of_cell(cell: Mapping) -> float:
    """Return the minutes of one cell, not rounded; 0 for code that is folded, empty, or injected parameters."""
    if cell["cell_type"] == "markdown":
        return of_text(text_of(cell))
    metadata = cell.get("metadata", {})
    folded = metadata.get("jupyter", {}).get("source_hidden") or "injected-parameters" in metadata.get("tags", [])
    read = cell["cell_type"] == "code" and text_of(cell).strip() and not folded
    return MINUTES_A_CELL if read else 0.0


def of_cells(nb: "NotebookNode") -> float:
    """Return the minutes of all cells of a notebook, not rounded."""
    return sum(map(of_cell, nb.cells))


def of_sections(nb: "NotebookNode") -> list[tuple[str, float]]:
    """Return (heading, minutes not rounded) of a notebook, in order; what stands before the first is called ""."""
    found = [["", 0.0]]
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            for part in re.split(r"^(?=#{1,4} )", cell.source, flags=re.MULTILINE):
                if heading := re.match(r"#+ (.*)", part):
                    found.append([heading.group(1).strip(), 0.0])
                found[-1][1] += of_text(part)
        else:
            found[-1][1] += of_cell(cell)
    return [tuple(one) for one in found if any(one)]


def by_rule(nb: "NotebookNode") -> tuple[int | None, int]:
    """Return the minutes of (core, whole), rounded to five; core is None for a chapter that is not divided."""
    core = [cell for cell in nb.cells if FURTHER not in cell.metadata.get("tags", [])]
    divided = len(core) < len(nb.cells)
    return (_rounded(sum(map(of_cell, core))) if divided else None), _rounded(of_cells(nb))


def _rounded(minutes):
    return max(5, 5 * round(minutes / 5))
