"""What a reader meets first: few imports or folded ones, a line for who lacks the package, no editor asked for."""

import ast
import re

import jupytext
import nbformat
import pytest

from lessonkit.notebook.catalog import find
from lessonkit.notebook.store import transfer

CHAPTERS = find()
LACKING = re.compile(
    r'# No such module\? Run "make setup" in the course\'s folder .*, and choose its \.venv as the kernel\.'
)
FOLDED = {"source_hidden": True}


def read(chapter):
    book = nbformat.read(chapter.path, as_version=4)
    first, second = [cell for cell in book.cells if cell.cell_type == "code"][:2]
    return book, first, second


def imports(cell):
    return [node for node in ast.parse(cell.source).body if isinstance(node, ast.Import | ast.ImportFrom)]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_the_first_line_of_code_says_what_to_install_and_the_parameters_can_be_seen(chapter):
    _, first, second = read(chapter)
    assert imports(first), "the first cell imports what the chapter uses"
    assert LACKING.fullmatch(first.source.splitlines()[0])
    assert "parameters" in second.metadata.tags and "jupyter" not in second.metadata


def test_the_first_chapter_begins_with_two_imports():
    _, first, _ = read(CHAPTERS[0])
    assert len(imports(first)) == 2
    assert "jupyter" not in first.metadata, "who has never seen a notebook shall see its first cell"


@pytest.mark.parametrize("chapter", CHAPTERS[1:], ids=lambda chapter: chapter.name)
def test_the_imports_of_the_others_are_folded_which_the_text_before_says(chapter):
    book, first, _ = read(chapter)
    assert first.metadata.jupyter == FOLDED
    before = book.cells[book.cells.index(first) - 1]
    assert before.cell_type == "markdown" and "The next cell, folded in JupyterLab," in before.source
    folded = [cell for cell in book.cells if "jupyter" in cell.metadata]
    assert folded == [first], "nothing else is hidden from a reader"


def test_storing_outputs_and_editing_as_a_script_leave_the_cell_folded():
    book, first, _ = read(CHAPTERS[1])
    run = nbformat.from_dict(book)
    transfer(book, run, renew=False)
    assert first.metadata == {"jupyter": FOLDED}
    again = jupytext.reads(jupytext.writes(book, fmt="py:percent"), fmt="py:percent")
    cell = next(cell for cell in again.cells if cell.cell_type == "code")
    assert cell.metadata["jupyter"] == FOLDED and cell.source == first.source


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_every_output_can_be_shown_where_nobody_knows_its_richer_kinds(chapter):
    book, _, _ = read(chapter)
    shown = [output.data for cell in book.cells for output in cell.get("outputs", []) if "data" in output]
    assert shown
    assert all(data.get("text/plain") for data in shown)
    known = {"text/plain", "text/html", "text/markdown", "image/png", "application/vnd.course.verdict+json"}
    assert {kind for data in shown for kind in data} <= known
    assert all("text/html" in data for data in shown if any(kind.startswith("application/") for kind in data))


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_nothing_in_the_file_is_one_editor_s_own(chapter):
    book, _, _ = read(chapter)
    nbformat.validate(book, relax_add_props=False)
    assert set(book.metadata) == {"course", "kernelspec", "language_info"}
    assert (book.metadata.kernelspec.name, book.metadata.language_info) == ("python3", {"name": "python"})
    # The folded cell's and the course's own: what an editor does not know, it has to keep and may ignore.
    assert {name for cell in book.cells for name in cell.metadata} <= {"tags", "jupyter", "outputs_of"}
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert not any(output.get("metadata") for output in outputs), "sizes and folds of outputs are JupyterLab's"
    pages = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert not any(re.search(r"<script|<iframe|<link|@import|https?://\S+\.(?:js|css)", page) for page in pages)
    # A colour of JupyterLab's theme has no value elsewhere, unless another one stands beside it.
    assert not any(re.search(r"var\(--jp-[\w-]+\)", page) for page in pages)
