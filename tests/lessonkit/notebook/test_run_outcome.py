"""What counts as a problem in an executed notebook, and how exercises are counted."""

import pytest
from nbformat.v4 import new_output
from toys import code, notebook

from lessonkit.checks.verdict import MIME
from lessonkit.notebook import run_outcome
from lessonkit.notebook.cells import code_cells

IMPORT = code("from course_utils.exercises import start_here as ex")


def executed(*cells):
    """A notebook in which every cell has an execution count, as after a run."""
    book = notebook(*cells)
    for number, cell in enumerate(code_cells(book), start=1):
        cell.execution_count = number
    return book


def with_outputs(cell, *outputs):
    cell.outputs = list(outputs)
    return cell


def verdict(state, name="half"):
    bundle = {MIME: {"exercise": name, "state": state}, "text/plain": state}
    return new_output("execute_result", data=bundle, execution_count=1)


def error(name="ValueError", value="\x1b[31mno\x1b[0m"):
    return new_output("error", ename=name, evalue=value, traceback=["\x1b[31mline 1\x1b[0m", "line 2"])


def test_a_verdict_that_is_only_shown_does_not_count():
    cell = exercise("passed")
    cell.outputs.insert(0, new_output("display_data", data={MIME: {"exercise": "half", "state": "passed"}}))
    assert [found["state"] for found in run_outcome.verdicts(cell)] == ["passed"]
    cell.outputs.pop()
    assert run_outcome.verdicts(cell) == []


def exercise(*states):
    return with_outputs(code("half = ...\nex.half.check(half)", "exercise"), *map(verdict, states))


def messages(book, answers="untouched"):
    return [str(problem) for problem in run_outcome.problems(book, answers=answers)]


def test_an_error_counts_unless_it_was_announced_and_an_announced_one_must_come():
    assert messages(executed(with_outputs(code("f()"), error()))) == ["cell 1: f() -> ValueError: no"]
    assert messages(executed(with_outputs(code("f()", "raises-exception"), error()))) == []
    assert "raised nothing" in messages(executed(code("f()", "raises-exception")))[0]


KINDS = [
    "DeprecationWarning",
    "FutureWarning",
    "UserWarning",
    "PendingDeprecationWarning",
    "VisibleDeprecationWarning",
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_warning_counts_unless_it_was_announced(kind):
    said = new_output("stream", name="stderr", text=f"file.py:3: {kind}: old\n  f()\n")
    assert messages(executed(with_outputs(code("f()"), said))) == [f"cell 1: f() -> a warning: {kind}: old"]
    assert messages(executed(with_outputs(code("f()", "shows-warning"), said))) == []
    printed = new_output("stream", name="stdout", text=f"{kind}: a lesson about warnings\n")
    assert messages(executed(with_outputs(code("f()"), printed))) == []


def test_a_warning_that_is_true_of_the_machine_is_no_fault_of_the_chapter():
    text = "loader.py:8: UserWarning: This DataLoader will create 2 worker processes in total. Our suggested max\n"
    said = new_output("stream", name="stderr", text=f"{text}a.py:3: UserWarning: old\n")
    assert messages(executed(with_outputs(code("f()"), said))) == ["cell 1: f() -> a warning: UserWarning: old"]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("/v/torch/export/pt2_archive/_package.py:790: UserWarning: The given buffer is not writable, and", False),
        (r"C:\v\torch\jit\_script.py:1488: DeprecationWarning: `torch.jit.script` is deprecated. Please", False),
        ("rank 0: /v/torch/jit/_script.py:1640: DeprecationWarning: `torch.jit.interface` is deprecated.", False),
        ("/tmp/kernel/1.py:3: UserWarning: The given buffer is not writable, and", True),
        ("/tmp/kernel/1.py:3: DeprecationWarning: `torch.jit.script` is deprecated.", True),
        ("/v/torch/jit/_script.py:9: FutureWarning: `torch.jit.script` is deprecated.", True),
    ],
)
def test_what_an_older_torch_says_of_its_own_files_is_no_fault_of_the_chapter(line, fault):
    said = new_output("stream", name="stderr", text=f"{line}\n")
    assert bool(messages(executed(with_outputs(code("f()"), said)))) is fault


@pytest.mark.parametrize(
    ("answers", "state", "fine"),
    [
        ("untouched", "not attempted", True),
        ("untouched", "passed", False),
        ("untouched", "raised", False),
        ("solved", "passed", True),
        ("solved", "not attempted", False),
        ("solved", "wrong", False),
    ],
)
def test_every_verdict_must_be_the_one_demanded(answers, state, fine):
    found = messages(executed(IMPORT, exercise(state)), answers)
    assert (found == []) is fine
    if not fine:
        assert f"exercise half: {state}, expected" in found[0]


def test_an_exercise_without_a_verdict_is_named():
    assert "1 exercise(s) to check, 0 verdict(s)" in messages(executed(IMPORT, exercise()))[0]


def test_exercises_are_counted_also_those_not_reached():
    book = executed(IMPORT, exercise("passed"), exercise("wrong"), exercise("not attempted"), exercise())
    assert run_outcome.exercises(book) == {"attempted": 2, "passed": 1, "total": 4}


def test_cells_after_the_end_of_a_broken_run_are_not_complained_about():
    book = executed(code("a"), code("b", "raises-exception"))
    book.cells[1].execution_count = None
    assert messages(book) == []


def test_the_traceback_is_the_one_nobody_announced_without_colours():
    book = executed(with_outputs(code("a", "raises-exception"), error()), with_outputs(code("b"), error()))
    assert run_outcome.traceback(book) == "line 1\nline 2"
    assert run_outcome.traceback(executed(code("a"))) == ""


def test_a_question_counts_as_an_exercise_and_needs_its_verdict():
    def asked(*states):
        return with_outputs(code('answer = None\nask("mm_shapes", answer)', "question"), *map(verdict, states))

    unasked, answered = asked(), asked("passed")
    assert run_outcome.exercises(executed(answered, unasked)) == {"attempted": 1, "passed": 1, "total": 2}
    assert messages(executed(answered), answers="solved") == []
    assert "1 exercise(s) to check, 0 verdict(s)" in messages(executed(unasked))[0]
