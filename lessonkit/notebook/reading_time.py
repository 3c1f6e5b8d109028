"""Estimate a reader's minutes: words / 44 + code cells x 0.53 + the exercises' own minutes x 0.37.

The numbers were fitted (least squares of the relative error) to how long readers who did not know the chapters
thought that each of the thirteen takes, 92 to 162 minutes as they then were: the largest miss was 17 %. A code cell
stands for reading, betting, running and its output; an exercise's own minutes are a slow reader's. A folded cell
(the imports) is not read, so it is not counted.
"""

import re

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from lessonkit.notebook.cells import code_cells, core_of, tags
from lessonkit.notebook.tags import FURTHER

WORDS_A_MINUTE, MINUTES_A_CELL, OF_AN_EXERCISE = 44, 0.53, 0.37
_OWN = re.compile(r"\((?:about )?(\d+) min\b[^)]*★")


def prose(words: int) -> float:
    """Return the minutes that so many words take."""
    return words / WORDS_A_MINUTE


def exercise(text: str) -> float:
    """Return the minutes that the first exercise in a text takes on top of its words; 0 for none."""
    found = _OWN.search(text)
    return int(found[1]) * OF_AN_EXERCISE if found else 0.0


def of_cells(nb: NotebookNode) -> float:
    """Return the minutes of all cells of a notebook, not rounded."""
    sources = [cell.source for cell in nb.cells if cell.cell_type == "markdown"]
    words = sum(len(source.split()) for source in sources)
    unfolded = [cell for cell in code_cells(nb) if not cell.metadata.get("jupyter", {}).get("source_hidden")]
    return prose(words) + len(unfolded) * MINUTES_A_CELL + sum(exercise(source) for source in sources)


def of_sections(nb: NotebookNode) -> list[tuple[str, float]]:
    """Return (heading, minutes not rounded) of a notebook, in order; what stands before the first is called ""."""
    found, counted = [["", 0.0]], {id(cell) for cell in code_cells(nb)}
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            for part in re.split(r"^(?=#{1,4} )", cell.source, flags=re.MULTILINE):
                if heading := re.match(r"#+ (.*)", part):
                    found.append([heading.group(1).strip(), 0.0])
                found[-1][1] += of_cells(new_notebook(cells=[new_markdown_cell(part)]))
        elif id(cell) in counted:
            found[-1][1] += of_cells(new_notebook(cells=[cell]))
    return [tuple(one) for one in found if any(one)]


def by_rule(nb: NotebookNode) -> tuple[int | None, int]:
    """Return the minutes of (core, whole), rounded to five; core is None for a chapter that is not divided."""
    divided = any(FURTHER in tags(cell) for cell in nb.cells)
    return (_rounded(of_cells(core_of(nb))) if divided else None), _rounded(of_cells(nb))


def _rounded(minutes):
    return max(5, 5 * round(minutes / 5))
