"""The core path: what a chapter marks as *Further*, how long both take, and that titles say so.

That the core runs alone is tried by step `core` of tools/testing/all.py: solved, by `--core both` untouched too.
"""

import re

import nbformat
import pytest
from minutes import WITHIN, by_rule, minutes, said
from toys import code, notebook, text

from course_utils import PROJECT
from lessonkit.notebook.cells import code_cells, tags
from lessonkit.notebook.core import FURTHER, keep_core

NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))
LONGEST_CORE = 60  # minutes
CELLS = range(20, 31)
HEADING = re.compile(r"#+ Further: \S")
# Not divided yet. A chapter may leave this list, none may come into it.
WHOLE = set()


def faults(nb):
    """What is wrong with the core path of a notebook, each as a sentence."""
    core = nbformat.from_dict(nb)
    core.cells = list(nb.cells)
    if not keep_core(core):
        yield "no cell is tagged `further`"
        return
    if nb.cells[0] not in core.cells or nb.cells[-1] not in core.cells:
        yield "the title or the last cell is tagged `further`"
    former = None
    for cell in nb.cells:
        if FURTHER in tags(cell) and (former is None or FURTHER not in tags(former)):
            if cell.cell_type != "markdown" or not HEADING.match(cell.source):
                yield f"a part tagged `further` begins without a heading “Further: …”: {cell.source[:50]!r}"
        elif FURTHER not in tags(cell) and cell.cell_type == "markdown" and HEADING.match(cell.source):
            yield f"a heading “Further: …” without the tag `further`: {cell.source[:50]!r}"
        former = cell
    if len(code_cells(core)) not in CELLS:
        yield f"{len(code_cells(core))} code cells in the core, expected {CELLS[0]} to {CELLS[-1]}"
    found = [cell for cell in core.cells if "exercise" in tags(cell)]
    if len(found) not in (2, 3):
        yield f"{len(found)} exercises in the core, expected two or three"
    if minutes(core) > LONGEST_CORE + 2.5:
        yield f"{minutes(core):.0f} minutes of core by tools/minutes.py, expected at most {LONGEST_CORE}"
    if "skip this if" not in nb.cells[0].source.lower():
        yield "the title cell has no line “Skip this if …”"
    for kind, title, rule in zip(("core", "whole"), said(nb), by_rule(nb), strict=True):
        if title is None:
            yield "the title says one number of minutes, expected `NN minutes for the core, NN with *Further*`"
            break
        if abs(title - rule) > WITHIN * rule:
            yield f"{title} minutes in the title for the {kind}, {rule} by tools/minutes.py"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_chapter_has_a_core_path(path):
    nb = nbformat.read(path, 4)
    if path.stem in WHOLE:
        assert not any(FURTHER in tags(cell) for cell in nb.cells), f"{path.stem} is divided: take it out of WHOLE"
        return
    assert list(faults(nb)) == []


def further(cell):
    cell.metadata.setdefault("tags", []).append(FURTHER)
    return cell


def good():
    """A notebook without a fault; a test below breaks one thing in it."""
    title = "# 03 · A claim\n\n**45 minutes for the core, 60 with *Further*.** Skip this if you know it."
    cells = [text(title), text("word " * 1100)]
    for _ in range(2):
        cells += [text("### Exercise: half (10 min, ★)"), code("half = ...", "exercise")]
    cells += [code("1") for _ in range(20)]
    cells += [further(text("## Further: more")), further(text("word " * 600)), further(code("2"))]
    return notebook(*cells, text("The end."))


BREAKS = [
    (lambda cells: cells.__delitem__(slice(-4, -1)), "no cell is tagged"),
    (lambda cells: further(cells[0]), "the title or the last cell"),
    (lambda cells: cells[-4].update(source="## More"), "begins without a heading"),
    (lambda cells: further(cells[8]), "begins without a heading"),
    (lambda cells: cells[-4].metadata.update(tags=[]), "without the tag `further`"),
    (lambda cells: cells.__delitem__(slice(10, 16)), "16 code cells in the core"),
    (lambda cells: cells.__delitem__(slice(2, 4)), "1 exercises in the core"),
    (lambda cells: cells[1].update(source="word " * 2200), "minutes of core by"),
    (lambda cells: cells[0].update(source=cells[0].source.replace("Skip", "Leave")), "Skip this if"),
    (
        lambda cells: cells[0].update(source=cells[0].source.replace("45", "30")),
        "30 minutes in the title for",
    ),
    (
        lambda cells: cells[0].update(source=cells[0].source.replace("60", "90")),
        "90 minutes in the title for",
    ),
    (lambda cells: cells[0].update(source="# 03 · A claim\n\n45 minutes. Skip this if"), "one number of minutes"),
]


def test_a_divided_notebook_has_no_fault():
    assert list(faults(good())) == []


@pytest.mark.parametrize(("damage", "complaint"), BREAKS, ids=[complaint for _, complaint in BREAKS])
def test_a_fault_of_the_core_is_named(damage, complaint):
    nb = good()
    damage(nb.cells)
    assert complaint in "; ".join(faults(nb))


def test_the_rule_counts_words_cells_and_exercises():
    assert minutes(notebook(text("word " * 440), code("1"))) == pytest.approx(10 + 0.53)
    assert minutes(notebook(text("### Exercise: x (10 min, ★★)"))) == pytest.approx(7 / 44 + 3.7, abs=0.03)
    assert said(notebook(text("**55 minutes for the core, 105 with *Further*.**"))) == (55, 105)
    assert said(notebook(text("About 55 minutes."))) == (None, 55)
