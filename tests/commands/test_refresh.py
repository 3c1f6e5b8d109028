"""`course refresh` writes true outputs, the same twice, and leaves a chapter alone that must not be stored."""

import nbformat
import pytest
import toys
from nbformat.v4 import new_output
from toys import code, notebook, parameters, text

from course_utils.commands import refresh
from course_utils.notebook.catalog import find
from course_utils.notebook.outputs import Unfit


def said(cell, words):
    cell.outputs = [new_output("stream", name="stdout", text=words)]
    cell.execution_count = 40
    return cell


def transferred(before, after, *, renew=False):
    refresh.transfer(before, after, renew=renew)
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
    refresh.transfer(book, run, renew=False)
    assert [cell.id for cell in book.cells] == ids
    assert [cell.get("execution_count") for cell in book.cells] == [None, None, 1]
    assert book.cells[2].metadata == {}
    assert book.metadata == {"kernelspec": refresh.KERNEL, "language_info": {"name": "python"}}
    nbformat.validate(book)


def test_every_cell_that_is_unfit_is_named():
    cells = [code("print(1)"), code("object()"), code("print(object())")]
    run = [said(code(cell.source), "<object object at 0x7f6038ec7260>") for cell in cells]
    with pytest.raises(Unfit) as error:
        refresh.transfer(notebook(*cells), notebook(*run), renew=False)
    assert [f"cell {number}: " in str(error.value) for number in (1, 2, 3)] == [True] * 3


def test_two_refreshes_write_the_same_bytes_and_a_failing_chapter_stays_as_it_was(tmp_path, capsys):
    folder = toys.write(
        tmp_path / "notebooks",
        _00_good=notebook(
            text("# é"),
            parameters(),
            code("import time\nprint('é', PROFILE)\n{'b': 1}"),
            code("print(time.time_ns())", "nbval-ignore-output"),
            code("1 / 0", "raises-exception"),
        ),
        _01_fails=notebook(code("boom")),
    )
    before = (folder / "01_fails.ipynb").read_bytes()
    arguments = {"notebooks": folder, "out": tmp_path / "build"}
    assert refresh.refresh((), **arguments) == 1
    assert "01_fails: not written, it did not pass" in capsys.readouterr().out
    assert (folder / "01_fails.ipynb").read_bytes() == before
    first = (folder / "00_good.ipynb").read_bytes()
    assert refresh.refresh(("00",), **arguments) == 0
    assert "00_good: written, outputs of 0 cells changed" in capsys.readouterr().out
    assert (folder / "00_good.ipynb").read_bytes() == first
    assert first.endswith(b"}\n") and not first.endswith(b"\n\n")
    assert "é quick".encode() in first
    assert b"\r" not in first
    book = nbformat.read(folder / "00_good.ipynb", as_version=4)
    assert [cell.get("execution_count") for cell in book.cells] == [None, 1, 2, 3, 4]


def test_an_executed_chapter_with_an_unfit_output_is_not_written(tmp_path, capsys):
    folder = toys.write(tmp_path, _00_a=notebook(code("object()")))
    toys.write(tmp_path / "out", _00_a=notebook(said(code("object()"), "<object object at 0x7f6038ec7260>")))
    before = (folder / "00_a.ipynb").read_bytes()
    assert refresh.store(find(folder)[0], tmp_path / "out" / "00_a.ipynb") == 1
    assert "not written" in capsys.readouterr().out
    assert (folder / "00_a.ipynb").read_bytes() == before
