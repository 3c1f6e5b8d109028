"""What a chapter stores is made from the data that its text names, and holds nobody's photographs.

The course may not pass on the photographs of ants and bees; drawn ones stand in for them. A page that shows those
has to be refreshed where the photographs are not: with a COURSE_DATA without `hymenoptera_data`.
"""

import json
import re

import pytest
from toys import code, notebook, text

from course_utils import PROJECT
from course_utils.data import registry

NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))
SENTENCE = re.compile(r"^(?:rank \d+: )?(?P<title>.+?): the (?P<which>full set|embedded sample) \(", re.MULTILINE)
NOT_TO_BE_PASSED_ON = registry.find("hymenoptera")
DRAWS = re.compile(r"\b(?:imshow|show_images)\(")
DRAWN_HERE = "The pictures stored in this page are the drawn ones."
SHOWN = re.compile(rf"^{NOT_TO_BE_PASSED_ON.title}: (?P<source>full|sample)$", re.MULTILINE)
# Cells after the photographs are there that show other pictures: {(chapter, id of the cell): what they show}.
OTHERS = {("07", name): "two pictures of scikit-learn" for name in ("bfb51167", "629e6ceb")}
OTHERS |= {("07", "7298d0a7"): "digits"}


def joined(value):
    return "".join(value) if isinstance(value, list) else str(value or "")


def printed(cell):
    """What a code cell printed, as stored."""
    return "".join(joined(output.get("text")) for output in cell.get("outputs", []))


def has_picture(cell):
    return any("image/png" in output.get("data", {}) for output in cell.get("outputs", []))


def faults(book, chapter):
    """Each stored output that is of other data than the text says, as a sentence."""
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    prose = " ".join(" ".join(joined(c["source"]).split()) for c in book["cells"] if c["cell_type"] == "markdown")
    named = {found["title"]: found["which"] for cell in cells for found in SENTENCE.finditer(printed(cell))}
    source = named.get(NOT_TO_BE_PASSED_ON.title)
    if (source == "embedded sample") != (DRAWN_HERE in prose):
        yield f"the text says drawn ones: {DRAWN_HERE in prose}, the output is of the {source}"
    loaded = False
    for cell in cells:
        loaded |= NOT_TO_BE_PASSED_ON.title in [found["title"] for found in SENTENCE.finditer(printed(cell))]
        if not (loaded and has_picture(cell) and DRAWS.search(joined(cell["source"]))):
            continue
        sources = {found["source"] for found in SHOWN.finditer(printed(cell))}
        sources |= {"sample"} if source == "embedded sample" and SENTENCE.search(printed(cell)) else set()
        if sources != {"sample"} and (chapter, cell["id"]) not in OTHERS:
            yield f"the picture of cell {cell['id']} is of {' and '.join(sorted(sources)) or 'nobody knows what'}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_page_stores_what_its_text_says(path):
    assert list(faults(json.loads(path.read_text(encoding="utf-8")), path.stem[:2])) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_figure_in_the_text_is_of_the_full_sets(path):
    """Every set whose figures the prose quotes is the full one, except the one that may not be shown."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for found in (
        found for cell in cells if cell["cell_type"] == "code" for found in SENTENCE.finditer(printed(cell))
    ):
        assert found["which"] == "full set" or found["title"] == NOT_TO_BE_PASSED_ON.title


def page(which="embedded sample", said="sample", claim=DRAWN_HERE):
    """A page that loads the ants and bees and shows one, in a cell each."""
    book = notebook(text(claim), code("insects = folder('hymenoptera')"), code("axis.imshow(ant)"))
    first, second = (cell for cell in book.cells if cell.cell_type == "code")
    first.outputs = [
        {"output_type": "stream", "text": f"Ants and bees: the {which} (36 pictures, drawn) from X.\n"}
    ]
    second.outputs = [{"output_type": "display_data", "data": {"image/png": "A"}}]
    second.outputs += [{"output_type": "stream", "text": f"Ants and bees: {said}\n"}] if said else []
    return book


def test_a_page_of_drawn_pictures_has_no_fault():
    assert list(faults(page(), "03")) == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"which": "full set"}, "the text says drawn ones: True, the output is of the full set"),
        ({"claim": "Ants."}, "the text says drawn ones: False, the output is of the embedded sample"),
        ({"said": "full"}, "is of full"),
        ({"said": ""}, "is of nobody knows what"),
    ],
)
def test_other_pictures_than_the_text_names_are_a_fault(changes, fault):
    assert fault in "; ".join(faults(page(**changes), "03"))
