"""Which cells are executed, what they are called, what they wrote."""

from nbformat.v4 import new_output
from toys import code, notebook, text

from lessonkit.notebook import cells


def test_cells_are_numbered_as_run_all_counts_them():
    injected = code("SEED = 1", "injected-parameters")
    book = notebook(text("# t"), code("a"), code("  "), injected, code("b"))
    assert [cell.source for cell in cells.code_cells(book)] == ["a", "b"]
    assert cells.label(2, code("\n\n  x = 1  \ny")) == "cell 2: x = 1"
    assert len(cells.label(1, code("x" * 200))) == len("cell 1: ") + 70


def test_a_stream_is_read_whole_and_without_colours():
    cell = code("print()")
    assert cells.tags(cell) == [] and cells.stream(cell, "stdout") == ""
    pieces = (("stdout", "a"), ("stderr", "b"), ("stdout", "\x1b[31mc\x1b[0m\n"))
    cell.outputs = [new_output("stream", name=name, text=words) for name, words in pieces]
    assert cells.stream(cell, "stdout") == "ac\n"
    assert cells.stream(cell, "stderr") == "b"


def test_the_core_is_what_is_not_further():
    nb = notebook(code("1"), code("2", "further"), code("3", "exercise", "further"), code("4", "exercise"))
    assert cells.keep_core(nb) == 2
    assert [cell.source for cell in nb.cells] == ["1", "4"]
    assert cells.keep_core(nb) == 0
