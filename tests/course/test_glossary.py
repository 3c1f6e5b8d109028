"""notebooks/glossary.md: every term leads to the cell that says it first and explains it; none is used before."""

import re
import runpy

import pytest

from course_utils import PROJECT

SCRIPT = runpy.run_path(str(PROJECT / "tools" / "glossary.py"))
TEXT = SCRIPT["GLOSSARY"].read_text(encoding="utf-8")
ENTRIES = list(SCRIPT["ENTRY"].finditer(TEXT))
Place = SCRIPT["Place"]


def test_no_term_is_used_before_its_cell_and_each_link_leads_there():
    renewed, faults = SCRIPT["relink"](TEXT, SCRIPT["places"]())
    assert faults == []
    assert renewed == TEXT, "a chapter was edited: run `python tools/glossary.py`"


def test_the_entries_are_in_order_unique_and_short():
    terms = [entry["term"].lower() for entry in ENTRIES]
    assert terms == sorted(set(terms))
    assert len(terms) == len(re.findall(r"^- ", TEXT, re.MULTILINE)), "a line that is no entry"
    assert all(len(entry["meaning"].split()) <= 30 for entry in ENTRIES)


def test_every_chapter_of_the_series_explains_some_term():
    chapters = {path.stem[:2] for path in (PROJECT / "notebooks").glob("[0-9]*.ipynb")}
    assert {entry["link"][1:3] for entry in ENTRIES} == chapters


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
    places = [Place("00.ipynb", f"c{number}", SCRIPT["prose"](text)) for number, text in enumerate(cells)]
    renewed, faults = SCRIPT["relink"]("- **gadget** (): a thing that turns.\n", places)
    assert [fault in said for said in faults] == ([True] if fault else [])
    if not fault:
        assert f"[00](00.ipynb#cell-id=c{len(cells) - 1 if len(cells) == 3 else 0})" in renewed
