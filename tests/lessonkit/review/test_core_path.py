"""The rules of the core path: in a divided notebook one thing is broken, and the rule names it."""

import pytest
from toys import code, notebook, text

from lessonkit.notebook.catalog import stated_minutes
from lessonkit.notebook.reading_time import by_rule, of_cells, of_sections
from lessonkit.notebook.tags import FURTHER
from lessonkit.review.core_path import check
from lessonkit.review.diagnostics import errors, warnings


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


def title(cells, old, new):
    cells[0].update(source=cells[0].source.replace(old, new))


ERRORS = [
    (lambda cells: cells.__delitem__(slice(-4, -1)), "no cell is tagged"),
    (lambda cells: further(cells[0]), "the title or the last cell"),
    (lambda cells: cells[-4].update(source="## More"), "begins without a heading"),
    (lambda cells: further(cells[8]), "begins without a heading"),
    (lambda cells: cells[-4].metadata.update(tags=[]), "without the tag `further`"),
    (lambda cells: cells.__delitem__(slice(2, 6)), "the core has no exercise"),
    (lambda cells: title(cells, "Skip", "Leave"), "Skip this if"),
    (lambda cells: cells[0].update(source="# 03 · A claim\n\n45 minutes. Skip this if"), "one number of minutes"),
]
WARNINGS = [
    (lambda cells: cells.__delitem__(slice(10, 16)), "16 code cells in the core"),
    (lambda cells: cells.__delitem__(slice(2, 4)), "1 exercises in the core"),
    (lambda cells: cells[1].update(source="word " * 2200), "minutes of core by"),
    (lambda cells: title(cells, "45", "30"), "30 minutes in the title for"),
    (lambda cells: title(cells, "60", "90"), "90 minutes in the title for"),
]


def found(damage):
    nb = good()
    damage(nb.cells)
    return list(check(nb))


def test_a_divided_notebook_has_no_fault():
    assert list(check(good())) == []


@pytest.mark.parametrize(("damage", "complaint"), ERRORS, ids=[complaint for _, complaint in ERRORS])
def test_a_fault_of_the_core_is_an_error(damage, complaint):
    assert complaint in "; ".join(errors(found(damage)))


@pytest.mark.parametrize(("damage", "complaint"), WARNINGS, ids=[complaint for _, complaint in WARNINGS])
def test_what_is_counted_is_a_warning_and_no_error(damage, complaint):
    assert complaint in "; ".join(warnings(found(damage)))
    assert errors(found(damage)) == []


def test_the_rule_counts_words_cells_and_exercises():
    assert of_cells(notebook(text("word " * 440), code("1"))) == pytest.approx(10 + 0.53)
    assert of_cells(notebook(text("### Exercise: x (10 min, ★★)"))) == pytest.approx(7 / 44 + 3.7, abs=0.03)
    assert stated_minutes("**55 minutes for the core, 105 with *Further*.**") == (55, 105)
    assert stated_minutes("About 55 minutes.") == (None, 55)
    with pytest.raises(ValueError, match="no minutes in the title cell"):
        stated_minutes("# A claim")
    assert by_rule(good()) == (45, 60)
    assert sum(each for _, each in of_sections(good())) == pytest.approx(of_cells(good()))
