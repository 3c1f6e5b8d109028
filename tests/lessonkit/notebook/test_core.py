"""The core of a chapter: what is left without the cells tagged `further`."""

from toys import code, notebook

from lessonkit.notebook.core import keep_core


def test_the_core_is_what_is_not_further():
    nb = notebook(code("1"), code("2", "further"), code("3", "exercise", "further"), code("4", "exercise"))
    assert keep_core(nb) == 2
    assert [cell.source for cell in nb.cells] == ["1", "4"]
    assert keep_core(nb) == 0
