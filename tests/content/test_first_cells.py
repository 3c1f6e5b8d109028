"""What a reader meets first: few imports or folded ones, a line for who lacks the package."""

import jupytext
import nbformat
import pytest
from content import CHAPTERS
from first_cells import FOLDED, check, findings
from toys import code, notebook, parameters, text

from lessonkit.notebook.outputs import transfer
from lessonkit.review.diagnostics import errors, warnings

LINE = '# No such module? Run "make setup" in the course\'s folder (or not), and choose its .venv as the kernel.'


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_chapter_begins_as_the_course_does(chapter):
    assert errors(findings([chapter])) == []


def opening(source=LINE + "\nimport torch", folded=True, words="The next cell, folded in JupyterLab, imports."):
    first = code(source, jupyter=FOLDED) if folded else code(source)
    return notebook(text(words), first, parameters())


@pytest.mark.parametrize(
    ("book", "first_of_all", "complaint"),
    [
        (opening(source=LINE), False, "imports nothing"),
        (opening(source="import torch"), False, "what to install"),
        (opening(folded=False), False, "the imports is folded"),
        (opening(words="Begin."), False, "the text before the imports"),
        (opening(), True, "a cell is folded"),
    ],
)
def test_a_fault_is_an_error(book, first_of_all, complaint):
    assert complaint in "; ".join(errors(check(book, first_of_all=first_of_all)))
    assert not list(check(opening(), first_of_all=False)) and not list(
        check(opening(folded=False), first_of_all=True)
    )


@pytest.mark.parametrize(
    ("words", "mentioned"),
    [
        ("The next cell is folded: it draws the curve.", True),
        ("Open the folded cell to see how it is drawn.", True),
        ("The curve falls.", False),
        ("", False),
    ],
)
def test_a_later_fold_is_mentioned_in_the_text_right_above_it(words, mentioned):
    drawing = code("ax.plot(losses)", jupyter=FOLDED)
    book = notebook(*opening().cells, *([text(words)] if words else []), drawing)
    assert (errors(check(book, first_of_all=False)) == []) is mentioned


def test_many_imports_for_a_beginner_are_a_warning():
    found = list(check(opening(source=LINE + "\nimport a\nimport b\nimport c", folded=False), first_of_all=True))
    assert errors(found) == [] and "3 imports are shown" in warnings(found)[0]


def test_storing_outputs_and_editing_as_a_script_leave_the_cell_folded():
    book = nbformat.read(CHAPTERS[1].path, as_version=4)
    first = next(cell for cell in book.cells if cell.cell_type == "code")
    run = nbformat.from_dict(book)
    transfer(book, run, renew=False)
    assert first.metadata == {"jupyter": FOLDED}
    again = jupytext.reads(jupytext.writes(book, fmt="py:percent"), fmt="py:percent")
    cell = next(cell for cell in again.cells if cell.cell_type == "code")
    assert cell.metadata["jupyter"] == FOLDED and cell.source == first.source
