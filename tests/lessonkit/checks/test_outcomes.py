"""What is a stub, and which line of whose code raised."""

import random
import sys
from copy import deepcopy

import numpy as np
import pytest
import torch

from lessonkit.checks import outcomes
from lessonkit.checks.exercise import Exercise
from lessonkit.checks.outcomes import learners_line, observe, returns_something, untouched
from lessonkit.system.course import Course
from lessonkit.system.place import IMPORTED_FROM


def passes(x):
    """Say nothing."""
    pass


def returns_none(x):
    return None


def ellipsis(x): ...


class Empty:
    """A class of stubs."""

    def step(self):
        """Step."""
        ...


class HalfWay:
    def __init__(self):
        self.count = 0

    def step(self): ...


@pytest.mark.parametrize("stub", [None, ..., passes, returns_none, ellipsis, Empty])
def test_what_does_nothing_but_return_is_untouched(stub):
    assert untouched(stub)


@pytest.mark.parametrize(
    "answer", [HalfWay, lambda x: 0, lambda x: x, lambda x: [], 3, "text", len, torch.nn.Linear]
)
def test_what_does_anything_is_an_attempt(answer):
    assert not untouched(answer)


def outcome_of(answer, *arguments):
    (outcome,), ending = observe(answer, lambda seed: [deepcopy(arguments)], seed=1)
    assert ending == "finished"
    return outcome


def test_what_is_raised_and_what_is_altered_are_part_of_the_outcome():
    outcome = outcome_of(lambda x, rows: rows.append(x) or 1 / 0, torch.ones(2), [])
    assert type(outcome.error) is ZeroDivisionError and places(outcome) == [1] and outcome.value is None
    outcome = outcome_of(lambda layer: layer.bias.data.zero_(), torch.nn.Linear(2, 2))
    assert places(outcome) == [0]
    assert not places(outcome_of(lambda x: x.clone().add_(1), torch.ones(2)))


def places(outcome):
    return sorted(change.argument for change in outcome.altered)


def test_each_call_finds_every_generator_at_the_same_place():
    def draw(x):
        return random.random(), np.random.rand(), torch.rand(1).item()

    outcomes, _ = observe(draw, lambda seed: [(0,), (1,)], seed=3)
    assert outcomes[0].value == outcomes[1].value


def test_inputs_drawn_from_a_global_generator_are_alike_in_both_copies():
    outcomes, _ = observe(abs, lambda seed: [(torch.rand(3) + random.random() + np.random.rand(),)], seed=3)
    assert not outcomes[0].altered


class CalledWhenMade:
    def __new__(cls, x):
        return x + 1


class Made:
    @staticmethod
    def made(x):
        return x

    @classmethod
    def of(cls): ...


def test_a_class_is_a_stub_only_if_no_method_of_any_kind_does_something():
    assert not untouched(CalledWhenMade) and not untouched(Made)
    assert outcome_of(CalledWhenMade, 2).value == 3


@pytest.mark.parametrize(
    ("answer", "something"),
    [
        (passes, False),
        (returns_none, False),
        (Empty, False),
        (lambda x: x, True),
        (lambda x: None, False),
        (CalledWhenMade, True),
        (len, False),
    ],
)
def test_whether_a_return_brings_something(answer, something):
    assert returns_something(answer) is something


def inner(x):
    return x.view(99)


def answer(x):
    return inner(x + 1)


def test_the_answers_own_line_is_quoted_and_no_librarys():
    error = outcome_of(answer, torch.ones(2)).error
    assert learners_line(error, answer).startswith("Line ") and "`return x.view(99)`" in learners_line(
        error, answer
    )
    assert "RuntimeError: shape" in learners_line(error, answer)
    error = outcome_of(lambda x: torch.nn.functional.conv2d(x, x), torch.ones(2)).error
    assert "site-packages" not in learners_line(error, None) and "conv2d(x, x)" in learners_line(error, None)


@torch.no_grad()
def decorated(x):
    return x.view(99)


def test_the_line_of_a_decorated_answer_is_its_own():
    error = outcome_of(decorated, torch.ones(2)).error
    assert "`return x.view(99)`" in learners_line(error, decorated)


def test_an_error_without_words_is_named():
    def silent(x):
        raise ValueError

    assert learners_line(outcome_of(silent, 1).error, silent).endswith("ValueError: (no message)")


def goes_on(x):
    source = iter(x)
    while True:
        yield next(source)


def test_the_line_of_the_cause_is_quoted_where_the_error_itself_has_none():
    error = outcome_of(lambda x: list(goes_on(x)), [1, 2]).error
    error.__traceback__ = None  # as where the check goes through what was returned
    line = goes_on.__code__.co_firstlineno + 3
    assert learners_line(error, goes_on) == (
        f"Line {line} of your cell raised: `yield next(source)`\n"
        "StopIteration. Then Python raised RuntimeError: generator raised StopIteration"
    )


def test_causes_in_a_ring_come_to_an_end():
    one, other = RuntimeError("one"), ValueError("other")
    one.__cause__, other.__cause__ = other, one
    assert learners_line(one, None) == "What it returned could not be used. RuntimeError: one"


def test_no_line_of_the_course_s_package_is_the_learners(tmp_path, monkeypatch):
    (tmp_path / "a_course").mkdir()
    (tmp_path / "a_course" / "__init__.py").write_text(
        "def use(value):\n    return value.shape\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "a_course", raising=False)
    import a_course

    error = outcome_of(lambda x: a_course.use(x), 1).error
    assert "of your cell raised: `return value.shape`" in learners_line(error, None)
    monkeypatch.setattr(outcomes, "course", lambda: Course(package="a_course"))
    assert "of your cell raised: `error = outcome_of" in learners_line(error, None)
    monkeypatch.delitem(sys.modules, "a_course")


def test_quoting_a_line_leaves_the_path_of_the_kernel_as_it_was(monkeypatch):
    path = [one for one in sys.path if one not in IMPORTED_FROM]
    monkeypatch.setattr(sys, "path", list(path))
    learners_line(outcome_of(answer, torch.ones(2)).error, answer)
    assert sys.path == path


class NoBases(type):
    @property
    def __mro__(cls):
        raise RuntimeError("not to be looked at")


class SomeNone(metaclass=NoBases):
    def __call__(self, x):
        return None if x > 1 else x


def test_an_answer_that_cannot_be_looked_at_may_be_right_and_return_none():
    def reference(x):
        return None if x > 1 else x

    assert Exercise(reference, inputs=lambda seed: [(1,), (2,)]).check(SomeNone()).passed
