"""Stubs are replaced by references, found by name in the exercises module's own file."""

import ast

import pytest
from toys import code, notebook

from lessonkit.notebook.solutions import Unsolvable, answer_question, checked, references, solve, solve_source
from torch_clinic.cases import read_cases

MODULE = '''
from functools import cache


def double(x):
    """Twice x."""
    return 2 * x


double = Exercise(double)


@cache
def answer():
    return 42


class Counter:
    def up(self):
        return 1
'''


@pytest.fixture
def modules(tmp_path, monkeypatch):
    (tmp_path / "toy_exercises_2718.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return {"ex": "toy_exercises_2718"}


def run(source):
    names = {"ex": Recorder()}
    exec(source.replace("@cache", ""), names)
    return names


class Recorder:
    """Stands for `ex`: every exercise's check returns what it was given."""

    def __getattr__(self, name):
        return type("Check", (), {"check": staticmethod(lambda answer: answer)})


def test_a_stub_function_becomes_the_reference_and_the_rest_of_the_cell_stays(modules):
    stub = 'def double(x):\n    """Twice x."""\n    ...  # your code here\n\n\nex.double.check(double)  # see'
    solved, count = solve_source(stub, modules)
    assert count == 1
    assert "your code here" not in solved
    assert solved.endswith("ex.double.check(double)  # see")
    assert run(solved)["double"](21) == 42


def test_a_value_becomes_the_references_value(modules):
    solved, _ = solve_source("answer = ...\n\nex.answer.check(answer)", modules)
    assert "@cache" in solved, "a decorator belongs to the reference"
    assert run(solved)["answer"] == 42


def test_a_class_and_two_exercises_in_one_cell(modules):
    stub = "class Counter:\n    ...\nanswer = ...\nex.Counter.check(Counter)\nex.answer.check(answer)"
    solved, count = solve_source(stub, modules)
    assert count == 2
    assert run(solved)["Counter"]().up() == 1


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("print('no check')", "holds no `ex.NAME.check"),
        ("ex.double.check(lambda x: 2 * x)", "neither defines nor assigns double"),
        ("def triple(x): ...\nex.triple.check(triple)", "no function or class triple; it has: double, answer"),
        ("def double(x:\nex.double.check(double)", "is not Python"),
    ],
)
def test_a_cell_that_cannot_be_solved_is_named_with_the_reason(modules, source, complaint):
    with pytest.raises(Unsolvable, match=complaint):
        solve_source(source, modules)


def test_only_checks_of_an_exercises_module_count():
    source = "other.double.check(double)\nex.double.check(double)\nex.double.hint()"
    assert checked(source, {"ex": "module"}) == [("ex", "double")]


def test_the_notebooks_own_import_says_which_module_is_meant():
    book = notebook(
        code("%matplotlib inline\nfrom course_utils.exercises import start_here as questions"),
        code("half_dtype = ...\n\nquestions.half_dtype.check(half_dtype)", "exercise"),
        code("half_dtype = ...\n\nquestions.half_dtype.check(half_dtype)"),
    )
    assert solve(book) == 1
    assert "half_dtype = half_dtype()" in book.cells[1].source
    assert "half_dtype()" not in book.cells[2].source, "a cell without the tag is the learner's own"


def test_references_are_whole_and_parse(modules):
    found = references("toy_exercises_2718")
    assert list(found) == ["double", "answer", "Counter"]
    for source in found.values():
        ast.parse(source)


def test_a_question_gets_its_right_letter_and_the_rest_of_the_cell_stays():
    asked = code('answer = None  # "a", "b" or "c"\nask("mm_shapes", answer)', "question")
    by_number = code('answer = None\nask("case 1", answer)', "question")
    book = notebook(asked, code('answer = None\nask("mm_shapes", answer)'), by_number)
    assert solve(book) == 2
    right = read_cases()["mm_shapes"].answer
    assert book.cells[0].source == f'answer = "{right}"  # "a", "b" or "c"\nask("mm_shapes", answer)'
    assert book.cells[1].source.startswith("answer = None"), "a cell without the tag is the learner's own"
    assert book.cells[2].source == f'answer = "{right}"\nask("case 1", answer)'


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("answer = None", "holds no `ask"),
        ('answer = "a"\nask("mm_shapes", answer)', "has no `answer = None`"),
        ('answer = None\nask("mm_shape", answer)', "no case 'mm_shape' with a question"),
        ('answer = None\nask("view_numel", answer)', "no case 'view_numel' with a question"),
    ],
)
def test_a_question_that_cannot_be_answered_is_named_with_the_reason(source, complaint):
    with pytest.raises(Unsolvable, match=complaint):
        answer_question(source)
