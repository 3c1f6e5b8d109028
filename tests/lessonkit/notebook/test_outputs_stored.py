"""What of an executed notebook is stored in its chapter, and what is kept or left out."""

import nbformat
import pytest
from nbformat.v4 import new_output
from toys import code, notebook, text

from lessonkit.notebook import outputs
from lessonkit.notebook.outputs import Unfit


def said(cell, words):
    cell.outputs = [new_output("stream", name="stdout", text=words)]
    cell.execution_count = 40
    return cell


def transferred(before, after, *, renew=False):
    outputs.transfer(before, after, renew=renew)
    return ["".join(output.text for output in cell.outputs) for cell in before.cells]


def test_outputs_that_depend_on_the_machine_are_kept_until_their_source_changes():
    tag = "nbval-ignore-output"
    book = notebook(code("print(1)"), code("clock()", tag))
    new = notebook(said(code("print(1)"), "1"), said(code("clock()", tag), "noon"))
    assert transferred(book, new) == ["1", "noon"]
    later = notebook(said(code("print(1)"), "one"), said(code("clock()", tag), "night"))
    assert transferred(book, later) == ["one", "noon"]
    assert transferred(book, later, renew=True) == ["one", "night"]
    book.cells[1].source = later.cells[1].source = "clock(utc=True)"
    assert transferred(book, notebook(said(code("print(1)"), "1"), said(later.cells[1], "dawn"))) == ["1", "dawn"]


def test_live_outputs_are_never_stored():
    tags = ("nbval-ignore-output", "live-output")
    assert transferred(
        notebook(said(code("serve()", *tags), "old")), notebook(said(code("serve()", *tags), "new"))
    ) == [""]


def test_what_is_written_has_no_trace_of_the_run():
    book = notebook(text("# T"), code("", "x"), code("1", papermill={"duration": 3}, collapsed=True, tags=[]))
    book.metadata |= {"widgets": {"state": 1}, "language_info": {"name": "python", "version": "3.11.7"}}
    ids = [cell.id for cell in book.cells]
    run = notebook(text("# T"), code("", "x"), code("SEED = 1", "injected-parameters"), said(code("1"), "1"))
    outputs.transfer(book, run, renew=False)
    assert [cell.id for cell in book.cells] == ids
    assert [cell.get("execution_count") for cell in book.cells] == [None, None, 1]
    assert book.cells[2].metadata == {}
    assert book.metadata == {"kernelspec": outputs.KERNEL, "language_info": {"name": "python"}}
    nbformat.validate(book)


def test_every_cell_that_is_unfit_is_named():
    cells = [code("print(1)"), code("object()"), code("print(object())")]
    run = [said(code(cell.source), "<object object at 0x7f6038ec7260>") for cell in cells]
    with pytest.raises(Unfit) as error:
        outputs.transfer(notebook(*cells), notebook(*run), renew=False)
    assert [f"cell {number}: " in str(error.value) for number in (1, 2, 3)] == [True] * 3
