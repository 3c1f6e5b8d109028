"""The verdicts stored in the chapters look as today's code makes them, and hold no answer of ours."""

import nbformat
import pytest
import verdicts
from nbformat.v4 import new_code_cell, new_notebook, new_output

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.verdict import MIME, Note, Verdict
from lessonkit.notebook.catalog import Chapter, find
from lessonkit.notebook.outputs import tidy

CHAPTERS = find()


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_stored_verdicts_are_those_of_today_without_our_answers(chapter):
    book = nbformat.read(chapter.path, as_version=4)
    assert not verdicts.outdated(book), "run `python tools/verdicts.py`"
    shown = [output.data for cell in book.cells for output in cell.get("outputs", []) if "data" in output]
    judged = [data for data in shown if MIME in data]
    assert judged
    assert not [data for data in judged if "course-answer" in data["text/html"]]
    if chapter.number < 12:  # the clinic's questions have no hints
        assert all("Hint 1 of" in data["text/html"] for data in judged)


def half(x):
    """Half of it."""
    return x / 2


def printing(x):
    print("<b>")
    return x


def bundle(shown):
    return new_output("display_data", data=shown._repr_mimebundle_())


def rest(output):
    return {kind: value for kind, value in output.data.items() if kind != "text/html"}


def test_only_the_html_of_our_own_outputs_is_renewed_and_nothing_of_what_it_says(tmp_path):
    question = Exercise(half, inputs=lambda seed: [(1.0,), (2.0,)], hints=("One.", "Two."))
    outputs = [
        bundle(one) for one in (question.check(printing), Verdict("case 3", "passed", "Yes."), Note("A hint"))
    ]
    other = new_output("display_data", data={"text/html": "<table>", "text/plain": "a table"})
    book = new_notebook(cells=[new_code_cell("half", outputs=[*outputs, other])])
    texts = [rest(output) for output in outputs]
    for output in outputs:
        output.data["text/html"] = '<div style="border-left: 4px solid #3b7dc4; padding: 0.3em">old</div>'
    path = tmp_path / "00_half.ipynb"
    nbformat.write(book, path)
    assert verdicts.renew(Chapter(path), check=True) == 3
    assert "old</div>" in path.read_text(encoding="utf-8")
    assert verdicts.renew(Chapter(path), check=False) == 3
    assert verdicts.renew(Chapter(path), check=True) == 0
    written = nbformat.read(path, as_version=4).cells[0].outputs
    assert [rest(output) for output in written[:3]] == texts
    assert "&lt;b&gt;" in written[0].data["text/html"] and "old" not in written[0].data["text/html"]
    assert written[3] == other


def test_what_is_stored_of_a_check_is_what_the_tool_expects():
    question = Exercise(half, inputs=lambda seed: [(1.0,), (2.0,)], hints=("One.", "Two."))
    for answer in (..., printing, lambda x: x * 0.5):
        output = bundle(question.check(answer))
        (stored,) = tidy([output], number=1, changes=False)
        assert "course-answer" not in stored.data["text/html"]
        assert verdicts.page(stored.data, {"half": question}) == stored.data["text/html"]
