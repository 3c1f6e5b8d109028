"""What a chapter stores is made from the data that its text names, and holds nobody's photographs."""

import pytest
from content import CHAPTERS
from stored_data import DRAWN_HERE, NOT_TO_BE_PASSED_ON, faults, findings, samples
from toys import code, notebook, text

from lessonkit.review.diagnostics import errors


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_page_stores_what_its_text_says(chapter):
    assert list(findings([chapter])) == []


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
    assert list(faults(page(), "03")) == list(samples(page())) == []


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
    assert fault in "; ".join(errors(faults(page(**changes), "03")))


def test_a_sample_whose_figures_the_text_quotes_is_a_fault():
    book = page()
    book.cells[1].outputs[0]["text"] = book.cells[1].outputs[0]["text"].replace(NOT_TO_BE_PASSED_ON.title, "Digits")
    assert "is of the embedded sample of Digits" in "; ".join(errors(samples(book)))
