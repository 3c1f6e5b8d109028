"""`course refresh` writes true outputs, the same twice, and leaves a chapter alone that must not be stored."""

import nbformat
import toys
from nbformat.v4 import new_output
from toys import code, notebook, parameters, text

from lessonkit.commands.refresh import refresh_chapters, write_outputs
from lessonkit.notebook.catalog import find


def said(cell, words):
    cell.outputs = [new_output("stream", name="stdout", text=words)]
    cell.execution_count = 40
    return cell


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
    assert refresh_chapters((), **arguments) == 1
    assert "01_fails: not written, it did not pass" in capsys.readouterr().out
    assert (folder / "01_fails.ipynb").read_bytes() == before
    first = (folder / "00_good.ipynb").read_bytes()
    assert refresh_chapters(("00",), **arguments) == 0
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
    assert write_outputs(find(folder)[0], tmp_path / "out" / "00_a.ipynb") is False
    assert "not written" in capsys.readouterr().out
    assert (folder / "00_a.ipynb").read_bytes() == before
