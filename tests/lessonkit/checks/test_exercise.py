"""The check itself: every state, every sentence, and answers that try to slip through."""

import os
import random
import subprocess
import sys
import time
from dataclasses import fields

import numpy
import pytest
import torch

from lessonkit.checks.answer import Answer
from lessonkit.checks.exercise import Exercise
from lessonkit.checks.question import Question
from lessonkit.checks.verdict import MIME, STATES
from lessonkit.system.meter import Meter


def midpoints(row):
    """The values half-way between neighbours along the last dimension."""
    return (row[..., 1:] + row[..., :-1]) / 2


def right(row):
    """The same in other words."""
    return (row[..., :-1] + row[..., 1:]) / 2


def wrong_axis(row):
    """You averaged neighbours along the batch axis (dim 0)."""
    return (row[1:] + row[:-1]) / 2


def forgot_half(row):
    """You added neighbours but never halved the sum."""
    return row[..., 1:] + row[..., :-1]


def rows(seed):
    generator = torch.Generator().manual_seed(seed)
    return [(torch.randn(n, length, generator=generator),) for n, length in ((2, 7), (1, 2), (3, 5), (4, 100))]


def make():
    return Exercise(
        midpoints, inputs=rows, mistakes=(wrong_axis, forgot_half), hints=("Slice twice.", "Then halve.")
    )


def verdict_of(answer):
    verdict = make().check(answer)
    assert verdict.state in STATES
    assert verdict._repr_mimebundle_()[MIME] == {"exercise": "midpoints", "state": verdict.state}
    return verdict


def test_right_answers_of_several_styles_pass():
    assert str(verdict_of(right)) == "✓ midpoints: Right for 4 inputs."
    assert verdict_of(lambda row: torch.nn.functional.avg_pool1d(row, 2, 1)).passed
    assert verdict_of(
        lambda row: torch.stack([(a + b) / 2 for a, b in zip(row.T[1:], row.T[:-1], strict=True)], 1)
    ).passed


def stub(row):
    """Docstring."""
    ...


def test_untouched_stubs_are_not_attempted():
    def passes(row):
        pass

    def refuses(row):
        raise NotImplementedError

    def lacks_an_operation(row):
        raise NotImplementedError("Could not run 'aten::view' with arguments from the 'SparseCPU' backend.")

    assert verdict_of(lacks_an_operation).state == "raised"
    for answer in (stub, passes, refuses, ..., None, lambda row: None):
        verdict = verdict_of(answer)
        assert verdict.state == "not attempted", verdict
        assert "ex.midpoints.hint()" in verdict.message


def test_a_constant_is_an_attempt():
    assert verdict_of(lambda row: 0).state == "wrong"


@pytest.mark.parametrize("mistake", [wrong_axis, forgot_half])
def test_known_mistakes_are_explained_as_themselves(mistake):
    verdict = verdict_of(mistake)
    assert verdict.state == "known mistake"
    assert verdict.message == mistake.__doc__


def forgets(row):
    row = right(row)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda row: row, "You returned the input unchanged. Shape (2, 7), expected (2, 6)."),
        (lambda row: right(row).double(), "dtype float64, expected float32."),
        (lambda row: right(row) + 1, "Wrong at [0, 0]: found"),
        (lambda row: right(row) * 0, "Every element is 0"),
        (lambda row: right(row) / 0, "found"),
        (lambda row: right(row).to("meta"), "On device meta, expected cpu."),
        (lambda row: torch.tensor(1.0), "You returned the same value for every input."),
        (
            lambda row: None if row.sum() else 1,
            "Your function returned None instead of a float32 tensor of shape (2, 6).",
        ),
        (forgets, "Your function returned None. Is a `return` missing?"),
        (lambda row: "text" + str(row.shape), "expected a float32 tensor of shape (2, 6)"),
        (lambda row: right(row).requires_grad_(), "It is still part of a graph"),
        (
            lambda row: right(row.mul_(2)) / 2,
            "changed its input, which the caller still needs: `row` was changed: element [0, 0] was ",
        ),
        (lambda row: [right(row), 1], "Found a list of 2"),
        (lambda row: right(row).to_sparse(), "Layout torch.sparse_coo, expected torch.strided."),
        (right(torch.ones(2, 2)), "Pass `midpoints` without calling it"),
    ],
)
def test_wrong_answers_are_told_their_first_difference(answer, words):
    verdict = verdict_of(answer)
    assert verdict.state == "wrong", verdict
    assert words in verdict.message


def test_a_wrong_answer_names_an_input_that_reproduces_it():
    exercise = make()
    verdict = exercise.check(lambda row: right(row) if row.shape[1] != 5 else right(row) + 1)
    assert "ex.midpoints.example(1, 2)" in verdict.message
    assert exercise.example(1, 2)[0].shape == (3, 5)


def test_an_error_shows_the_learners_own_line():
    def answer(row):
        size = row.shape[1]
        return row.view(size, 99)

    verdict = verdict_of(answer)
    assert verdict.state == "raised"
    assert "`return row.view(size, 99)`" in verdict.message
    assert "RuntimeError: shape" in verdict.message
    assert "course_utils" not in verdict.message


def test_an_answer_that_cannot_be_called_as_asked():
    assert "could not be called" in verdict_of(lambda: 1).message


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_errors_that_would_end_the_kernel_do_not(error):
    def answer(row):
        raise error("bye")

    assert verdict_of(answer).state == "raised"


def endless(row):
    while True:
        pass


def endless_and_stubborn(row):
    while True:
        try:
            row = row + 0
        except BaseException:  # noqa: BLE001 - this is the answer that tries to survive
            continue


@pytest.mark.parametrize("answer", [endless, endless_and_stubborn])
def test_endless_loops_end(answer):
    clock = Meter(lambda: [os.getpid()])  # a core that others have does not count
    verdict = verdict_of(answer)
    assert verdict.state == "too slow"
    assert "No answer within 1 s" in verdict.message
    assert clock.charged() < 8  # under two on a machine without other work, over four was seen on a slow one


def test_a_call_that_cannot_be_interrupted_is_given_up():
    clock = Meter(lambda: [os.getpid()])
    verdict = verdict_of(lambda row: time.sleep(4))
    assert verdict.state == "too slow"
    assert "Restart the kernel" in verdict.message
    assert clock.charged() < 4  # under two on a machine without other work


def test_catching_everything_does_not_pass():
    def answer(row):
        try:
            return row.undefined()
        except Exception:  # noqa: BLE001 - this is the answer that catches everything
            return row

    assert verdict_of(answer).state == "wrong"


def test_inputs_are_fresh_at_every_check():
    exercise, seen = make(), []
    for _ in range(2):
        exercise.check(lambda row: seen.append(row) or right(row))
    assert not torch.equal(seen[0], seen[4])
    assert torch.equal(exercise.example(1)[0], seen[0])


def test_nothing_outside_is_changed_and_nothing_is_printed(capsys):
    def answer(row):
        print("row sum", 3.0)
        print("to stderr", file=sys.stderr)
        torch.set_default_dtype(torch.float64)
        torch.manual_seed(99), random.seed(99)
        return right(row)

    torch.manual_seed(5), random.seed(5)
    expected = torch.rand(1).item(), random.random()
    torch.manual_seed(5), random.seed(5)
    verdict = verdict_of(answer)
    assert (torch.rand(1).item(), random.random()) == expected
    assert torch.get_default_dtype() == torch.float32
    assert capsys.readouterr() == ("", "")
    assert "row sum 3.0" in verdict.printed and "to stderr" in verdict.printed
    assert "Your code printed:\nrow sum 3.0" in str(verdict)


def test_a_look_at_the_inputs_leaves_the_learners_random_numbers_alone():
    def seeded(seed):
        torch.manual_seed(seed), random.seed(seed), numpy.random.seed(seed)
        return [(torch.rand(2, 3),), (torch.rand(1, 2) + random.random(),)]

    def unlike_rows(row):
        return row[..., 1:] * random.random() + numpy.random.rand()

    def endless(row):
        while True:
            row = row + 0

    exercise = Exercise(midpoints, inputs=seeded, mistakes=(forgot_half,))
    looks = {
        "wrong": lambda: exercise.check(unlike_rows).state,
        "raised": lambda: exercise.check(lambda row: 1 / 0).state,
        "too slow": lambda: exercise.check(endless).state,
        "shown": lambda: exercise.example(3, 1) and "shown",
        "shown where submissions run": lambda: (
            Question("midpoints", inputs=seeded).example() and "shown where submissions run"
        ),
    }
    for expected, look in looks.items():
        before = torch.get_rng_state(), random.getstate(), numpy.random.get_state()[1]
        assert look() == expected
        assert torch.equal(torch.get_rng_state(), before[0]), expected
        assert random.getstate() == before[1], expected
        assert (numpy.random.get_state()[1] == before[2]).all(), expected


def test_an_example_is_the_input_of_the_check_also_where_it_is_drawn_from_torchs_own_generator():
    seen = []
    exercise = Exercise(midpoints, inputs=lambda seed: [(torch.rand(2, 3),)])
    exercise.check(lambda row: seen.append(row), seed=4)
    assert torch.equal(exercise.example(4)[0], seen[0])


def test_hints_come_one_at_a_time_and_end():
    exercise = make()
    assert [str(exercise.hint()) for _ in range(3)] == [
        "Hint 1 of 2: Slice twice.",
        "Hint 2 of 2: Then halve.",
        "No more hints. `ex.midpoints.solution()` shows our answer.",
    ]


def test_the_solution_is_the_reference_that_runs():
    assert str(make().solution()).startswith("def midpoints(row):")
    space = {}
    exec(make().source(), space)
    assert torch.equal(space["midpoints"](torch.tensor([[0.0, 2.0, 4.0]])), torch.tensor([[1.0, 3.0]]))


def parameters():
    return 5 * 5 * 20 + 20


def forgot_biases():
    """You counted the weights and left out one bias for each channel."""
    return 5 * 5 * 20


def test_value_exercises():
    exercise = Exercise(parameters, mistakes=(forgot_biases,), hints=("Weights, then biases.",))
    assert exercise.check(...).state == exercise.check(None).state == "not attempted"
    assert exercise.check(520).passed and exercise.check(torch.tensor(520)).passed and exercise.check(520.0).passed
    assert exercise.check(500).message == forgot_biases.__doc__
    wrong = exercise.check(1)
    assert wrong.state == "wrong" and "520" not in wrong.message
    assert exercise.check(True).state == "wrong"
    assert exercise.source().endswith("parameters = parameters()\n")


def halve(tensor):
    """Halve in place."""
    tensor.mul_(0.5)


def test_answers_that_are_asked_to_alter_their_arguments():
    exercise = Exercise(halve, inputs=lambda seed: [(torch.full((3,), 8.0),), (torch.zeros(0),)], in_place=True)
    assert exercise.check(lambda tensor: tensor.div_(2) and None).state == "raised"
    assert exercise.check(lambda tensor: tensor.copy_(tensor / 2) is None or None).passed
    assert exercise.check(lambda tensor: None if tensor.numel() == 1 else tensor.add_(1) is None).state == "wrong"


class Counter:
    """Counts up by one."""

    def __init__(self):
        self.count = 0

    def step(self):
        self.count += 1
        return self.count


def test_answers_that_are_classes():
    def drive(answer, steps):
        counter = answer()
        return [counter.step() for _ in range(steps)]

    class Other:
        count = 0

        def step(self):
            self.count = self.count + 1
            return self.count

    class Untouched:
        def step(self): ...

    class Stuck:
        def step(self):
            return 1 + 0 * id(self)

    exercise = Exercise(Counter, inputs=lambda seed: [(3,), (1,)], probe=drive)
    assert exercise.check(Other).passed
    assert exercise.check(Untouched).state == "not attempted"
    assert exercise.check(Stuck).state == "wrong"


def test_a_tensor_cut_off_from_the_graph_is_refused_where_it_matters():
    exercise = Exercise(midpoints, inputs=lambda seed: [(torch.ones(2, 3, requires_grad=True),)])
    assert "It is detached from the graph" in exercise.check(lambda row: right(row).detach()).message


def test_the_notebook_display_escapes_what_the_answer_brings():
    verdict = verdict_of(lambda row: "<script>alert(1)</script>")
    shown = verdict._repr_mimebundle_()["text/html"]
    assert "<script>" not in shown and "&lt;script&gt;" in shown


FIRST_OPTIMIZER = """
import torch
from lessonkit.checks import time_limit
time_limit.SECONDS = time_limit.SLOWER = 0.05  # far less than what the first optimizer or torch.func imports
from lessonkit.checks import exercise

def one_step(weight):
    return weight - 0.1

def by_optimizer(weight):
    make = lambda parameters: torch.optim.SGD(parameters, lr=0.1)
    parameter = torch.nn.Parameter(weight.clone())
    parameter.grad = torch.ones_like(weight)
    make([parameter]).step()
    return parameter.detach()

def by_func(weight):
    back = torch.func.vjp(lambda weight: 0.1 * weight, weight.clone().requires_grad_())[1]
    return weight - back(torch.ones_like(weight))[0].detach()

question = exercise.Exercise(one_step, inputs=lambda seed: [(torch.ones(3),)])
print(question.check(ANSWER).state, question.check(ANSWER).state)
torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.1)
"""


@pytest.mark.parametrize("answer", ["by_optimizer", "by_func"])
def test_what_torch_imports_late_may_be_imported_in_an_answer(answer):
    program = FIRST_OPTIMIZER.replace("ANSWER", answer)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "passed"


def test_an_exercise_has_all_that_its_question_and_its_answer_have():
    settings = {one.name: object() for one in fields(Question) if one.init and one.name != "name"}
    answer = Answer(midpoints, mistakes=(wrong_axis,), hints=["Slice twice."])
    one = Exercise.of(Question("midpoints", **settings), answer)
    assert {name: getattr(one, name) for name in settings} == settings
    assert (one.name, one.reference, one.mistakes, one.hints) == (
        "midpoints",
        midpoints,
        (wrong_axis,),
        ("Slice twice.",),
    )
    with pytest.raises(ValueError, match="The answer to halves is called midpoints"):
        Exercise.of(Question("halves"), answer)
