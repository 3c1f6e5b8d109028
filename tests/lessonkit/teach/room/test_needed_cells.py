"""What an answer needs of the cells above it: statements that bind what it uses, and nothing that only runs."""

import pytest

from lessonkit.desk.matching import names as tasks_in
from lessonkit.notebook.catalog import find
from lessonkit.notebook.magics import plain_python
from lessonkit.notebook.reader import parse
from lessonkit.teach.room.needed_cells import Notebook, Piece, names, statements
from lessonkit.teach.room.submission import submission, tasks


def taken(answer, *, ours=(), theirs=()):
    """The texts of what is run before an answer."""
    above = statements((f"ours {n}", text) for n, text in enumerate(ours))
    others = statements((f"theirs {n}", text) for n, text in enumerate(theirs))
    found = Notebook(others, above).needed(names(answer)[1], len(others))
    return [one.piece.source.strip() for one in found]


@pytest.mark.parametrize(
    ("source", "binds", "uses"),
    [
        ("def f(x):\n    y = x + z\n    return y", {"f"}, {"z"}),
        ("import torch.nn as nn, os.path", {"nn", "os"}, set()),
        ("class A(B):\n    c = d\n    def e(self): return g", {"A"}, {"B", "d", "g"}),
        ("a = [b for b in c if b]", {"a"}, {"c"}),
        ("def f():\n    global g\n    g = h", {"f"}, {"h"}),
        ("x = x + 1", {"x"}, {"x"}),
        ("def f(n): return f(n - 1)", {"f"}, set()),
        ("@d\ndef f(a=b) -> c: ...", {"f"}, {"d", "b", "c"}),
        ("lambda q: q + r", set(), {"r"}),
    ],
)
def test_names_are_told_by_scope(source, binds, uses):
    found = names(source)
    assert (set(found[0]), set(found[1])) == (binds, uses)


def test_what_is_used_is_taken_and_what_only_runs_is_not():
    ours = ["import math\nimport torch\nN = 3", "def twice(x):\n    return N * x", "print(twice(2))", "M = 5"]
    assert taken("def f(x): return twice(x) + math.pi", ours=ours) == [
        "import math",
        "N = 3",
        "def twice(x):\n    return N * x",
    ]


def test_the_last_binding_counts_and_the_learners_goes_before_the_chapters():
    assert taken("k = a + b", ours=["a = 1", "a = 2"], theirs=["a = 3", "b = a"]) == ["a = 3", "b = a"]
    assert taken("k = a + b", ours=["a = 1", "a = 2"], theirs=["b = a"]) == ["a = 2", "b = a"]


def test_a_statement_that_goes_on_from_the_one_before_is_taken_with_it():
    assert taken("y = a", ours=["a = [1]", "b = 2", "a += [2]", "a = a + [b]"]) == [
        "a = [1]",
        "b = 2",
        "a += [2]",
        "a = a + [b]",
    ]


def test_a_helper_of_the_learners_own_is_taken_from_any_cell():
    assert taken("def f(x): return helper(x)", theirs=["def helper(x): return os.sep", "import os"]) == [
        "def helper(x): return os.sep",
        "import os",
    ]


def test_magics_and_cells_that_are_no_python():
    assert "run_line_magic" in plain_python("%matplotlib inline\nx = 1")
    with pytest.raises(SyntaxError):
        plain_python("def f(:")
    assert taken("y = x", theirs=["def f(:", "%time x = 1\nx = 2", "a = 1; x = 3"])[-1].endswith("x = 3")


def test_a_traceback_names_the_line_of_the_cell():
    (one,) = statements([("cell 3", "\n\n# why\nz = 1")])
    assert one.piece == Piece("cell 3", "\n\n\nz = 1")


@pytest.mark.parametrize("chapter", find(), ids=lambda chapter: chapter.name)
def test_every_task_of_a_chapter_is_found_with_its_cells(chapter):
    notebook = parse(chapter.path.read_bytes())
    found = submission(notebook, chapter)
    wanted = [
        name for cell in notebook.cells if "exercise" in cell.metadata.get("tags", []) for name in tasks_in(cell)
    ]
    assert set(wanted) <= set(found.answers) == {task.name for task in tasks(chapter)}
    assert found.current and not found.unknown and not any(found.answers.values())
    for task in tasks(chapter):
        uses = frozenset().union(*(names(stub)[1] for stub in task.stubs))
        taken = Notebook((), task.above).needed(uses, 0)
        assert len(taken) < 12, "an exercise that needs half of the chapter above it"
