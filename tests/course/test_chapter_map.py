"""docs/chapters.svg is drawn from what the chapters say of themselves, and that is true of each chapter."""

import re
import runpy
import xml.etree.ElementTree as ElementTree

import nbformat
import pytest

from course_utils import PROJECT
from course_utils.data import registry

SCRIPT = runpy.run_path(str(PROJECT / "tools" / "chapter_map.py"))
NOTEBOOKS = sorted((PROJECT / "notebooks").glob("[0-9]*.ipynb"))
Chapter = SCRIPT["Chapter"]


def test_the_stored_map_is_the_one_the_notebooks_give():
    found = SCRIPT["chapters"]()
    assert SCRIPT["MAP"].read_text(encoding="utf-8") == SCRIPT["draw"](found), "run `python tools/chapter_map.py`"
    words = " ".join(ElementTree.parse(SCRIPT["MAP"]).getroot().itertext())
    for chapter in found:
        assert f"{chapter.number} {chapter.slug}" in words


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_a_chapter_says_of_itself_is_true(path):
    book = nbformat.read(path, 4)
    about = book.metadata["course"]
    text = re.sub(r"\([^)]*\)", "", book.cells[0].source.partition("**Builds on**")[2])
    assert about["builds_on"] == sorted(set(re.findall(r"(?<!\d)\d\d(?!\d)", text)))
    assert all(number < path.stem[:2] for number in about["builds_on"])
    code = "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")
    assert sorted(about["data"]) == sorted(name for name in registry.SPECS if f'"{name}"' in code)
    assert about["accelerator"] in ("not needed", "shows more")


def test_an_arrow_that_follows_from_others_is_left_out():
    def chapter(number, *builds_on):
        return Chapter(number, "x", "10", builds_on, (), "not needed")

    found = [chapter("00"), chapter("01", "00"), chapter("02", "00", "01"), chapter("03", "00", "02")]
    assert list(SCRIPT["arrows"](found)) == [("00", "01"), ("01", "02"), ("02", "03")]
    assert SCRIPT["layout"](found) == {"00": (0, 0), "01": (1, 0), "02": (2, 0), "03": (3, 0)}
