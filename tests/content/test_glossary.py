"""notebooks/glossary.md: every term leads to the cell that says it first and explains it; none is used before."""

import pytest
from content import CHAPTERS
from glossary import ENTRY, GLOSSARY, Place, places, prose, relink
from pages import terms

from lessonkit.review.diagnostics import errors, warnings

TEXT = GLOSSARY.read_text(encoding="utf-8")


def test_the_glossary_is_in_order_and_leads_to_the_cells_that_explain():
    assert errors(terms(TEXT, places())) == []


def test_every_chapter_of_the_series_explains_some_term():
    assert {int(entry["link"][1:3]) for entry in ENTRY.finditer(TEXT)} == {chapter.number for chapter in CHAPTERS}


def test_disorder_and_a_line_that_is_no_entry_are_errors_and_a_long_meaning_is_advice():
    text = "- **b** (): a thing.\n- **a** (): " + "word " * 31 + "\n- nothing\n"
    cells = [Place("00.ipynb", "c0", prose("An *a* is a *b*."))]
    found = list(terms(text, cells))
    assert [one.partition(",")[0] for one in errors(found)] == [
        "a link is old",
        "the terms are not in order",
        "a line is no entry: expected `- **term** ([NN](link)): meaning`",
    ]
    assert warnings(found) == ["the meaning of a has 31 words, expected at most 30"]


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        (["A *gadget* turns.", "The gadget again."], None),
        (["The gadgets turn.", "A *gadget* is this."], "used in 00.ipynb cell c0"),
        (["# A gadget\n\nNothing.", "`gadget`", "A *gadget* is this."], None),
        (["Nothing."], "no chapter says it"),
    ],
)
def test_a_use_before_the_explanation_is_seen(cells, fault):
    places = [Place("00.ipynb", f"c{number}", prose(text)) for number, text in enumerate(cells)]
    renewed, faults = relink("- **gadget** (): a thing that turns.\n", places)
    assert [fault in said for said in faults] == ([True] if fault else [])
    if not fault:
        assert f"[00](00.ipynb#cell-id=c{len(cells) - 1 if len(cells) == 3 else 0})" in renewed
