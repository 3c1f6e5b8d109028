"""The page of a chapter's stored outputs: each cell's, folded, marked as ours, and nothing that could be run."""

import html
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from lessonkit.notebook.catalog import find
from lessonkit.notebook.what_we_saw import FOLD, MARK, page, page_name

PIXEL = "iVBORw0KGgo=\n"


def of(*outputs, source="1", tags=(), above="# 05 · A claim"):
    """The page of one code cell below a heading."""
    cell = new_code_cell(source, id="c1", outputs=list(outputs), metadata={"tags": list(tags)})
    return page(new_notebook(cells=[new_markdown_cell(above), cell])).decode()


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        (
            new_output("stream", name="stdout", text="\n<b> & 1\n"),
            '<pre data-mime="application/vnd.jupyter.stdout">\n\n&lt;b&gt; &amp; 1\n</pre>',
        ),
        (
            new_output("stream", name="stderr", text="\x1b[31mred\x1b[0m"),
            '<pre data-mime="application/vnd.jupyter.stderr">\nred</pre>',
        ),
        (
            new_output("error", ename="E", evalue="no", traceback=["\x1b[0;31mE\x1b[0m: no"]),
            'stderr">\nE: no</pre>',
        ),
        (new_output("execute_result", {"text/plain": "a < b"}), '<pre data-mime="text/plain">\na &lt; b</pre>'),
        (
            new_output("display_data", {"text/plain": "x", "text/html": "<i>y</i>"}),
            '<div data-mime="text/html"><i>y</i></div>',
        ),
        (new_output("display_data", {"text/plain": "x", "text/markdown": "| a |\n| - |\n| 1 |"}), "<td>1</td>"),
        (
            new_output("display_data", {"text/plain": "x", "image/png": PIXEL}),
            'src="data:image/png;base64,iVBORw0KGgo="',
        ),
    ],
    ids=["text", "colours", "error", "value", "HTML", "Markdown", "picture"],
)
def test_an_output_of_each_kind_is_shown_in_a_fold_that_says_whose_it_is(output, shown):
    found = of(output)
    assert shown in found and f"<summary>{FOLD}</summary>" in found and MARK in found
    assert found.count("<details>") == 1 and "<details open" not in found


@pytest.mark.parametrize("tag", ["exercise", "question"])
def test_what_a_stub_was_told_is_left_out(tag):
    assert "<section" not in of(new_output("stream", text="not attempted"), tags=[tag])


@pytest.mark.parametrize(
    "outputs", [[], [new_output("stream", text="")], [new_output("display_data", {"x/y": "1"})]]
)
def test_a_cell_that_shows_nothing_has_no_fold(outputs):
    assert "<section" not in of(*outputs)


def test_a_picture_has_words_for_those_who_do_not_see_it():
    assert 'alt="The picture that this cell drew"' in of(new_output("display_data", {"image/png": PIXEL}))


def test_titles_and_sources_are_text():
    found = of(new_output("stream", text="1"), source="a < b & '</pre>'", above="# 05 · `x` < <script>")
    assert "a &lt; b &amp; &#x27;&lt;/pre&gt;&#x27;" in found and "<script>" not in found


def test_half_a_character_that_a_program_printed_is_written():
    assert "&#55357;" in of(new_output("stream", text="\ud83d"))


@pytest.mark.parametrize("chapter", find(), ids=lambda chapter: chapter.name)
def test_each_chapter_s_page_holds_every_output_but_the_exercises(chapter):
    notebook = nbformat.read(chapter.path, 4)
    shown = page(notebook).decode()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.outputs]
    asked = [cell for cell in cells if {"exercise", "question"} & {*cell.metadata.get("tags", [])}]
    assert re.findall('data-cell="([^"]*)"', shown) == [cell.id for cell in cells if cell not in asked]
    for cell in cells:
        if cell not in asked:
            assert html.escape(cell.source) in shown
    assert "<script" not in shown and page_name(chapter.name).name == f"{chapter.name}.html"
