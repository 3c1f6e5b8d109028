"""A cell under magics is read as the Python that it holds, each statement on its line."""

import ast

import pytest

from lessonkit.notebook.magics import plain_python
from lessonkit.notebook.solutions import checked


@pytest.mark.parametrize(
    ("source", "holds"),
    [
        ("%%time\nx = 1", "\nx = 1"),
        ("%%capture\nx = 1", "\nx = 1"),
        ("%%prun -s cumulative\ndef f(): pass", "\ndef f(): pass"),
        ("%%capture\n%%time\nx = 1", "\n\nx = 1"),
        ("%%timeit -n 3\nx = 1", "\nx = 1"),
        ("\n\n%%time\nx = 1", "\n\n\nx = 1"),
        ("%%time\n%time x = 1", "\nx = 1"),
        ("%time x = 1", "x = 1"),
        ("x = %time f(1)", "x = f(1)"),
        ("%prun -q -l 5 f(1)", "f(1)"),
        ("if y:\n    %time x = 1", "if y:\n    x = 1"),
        ("%time --no-raise-error x = 1", "x = 1"),
        ("%time await f()", "await f()"),
        ("%time print('é'); x = 1", "print('é'); x = 1"),
        ("%%writefile a.py\nx = 1", ""),
        ("%%bash\nls -l | wc", ""),
        ("%%html\n<b>x</b>", ""),
    ],
)
def test_a_magic_gives_way_to_the_python_that_it_holds(source, holds):
    assert plain_python(source).rstrip("\n") == holds


@pytest.mark.parametrize(
    "source", ["!ls", "files = !ls", "x?", "%matplotlib inline", "%pip install x", "%timeit f()"]
)
def test_any_other_is_a_call_of_the_shell(source):
    assert "get_ipython()" in plain_python(source)


def test_a_kept_capture_has_its_name():
    tree = ast.parse(plain_python("%%capture --no-stderr out\nx = 1"))
    assert [one.targets[0].id for one in tree.body] == ["out", "x"]


@pytest.mark.parametrize("source", ["def f(:", "%%time\ndef f(:", "!" * 600 + "\n(", "x = = 1"])
def test_what_is_no_python_is_refused(source):
    with pytest.raises((SyntaxError, ValueError)):
        plain_python(source)


def test_a_check_under_a_magic_is_found():
    assert checked("%%time\nex.f.check(f)", {"ex": "module"}) == [("ex", "f")]
