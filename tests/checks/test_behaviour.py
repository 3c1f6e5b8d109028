"""What is a stub, and which line of whose code raised."""

from copy import deepcopy

import pytest
import torch

from course_utils.checks.behaviour import learners_line, observe, untouched


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
    assert type(outcome.error) is ZeroDivisionError and outcome.altered == 2 and outcome.value is None
    outcome = outcome_of(lambda layer: layer.bias.data.zero_(), torch.nn.Linear(2, 2))
    assert outcome.altered == 1
    assert outcome_of(lambda x: x.clone().add_(1), torch.ones(2)).altered is None


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


def test_an_error_without_words_is_named():
    def silent(x):
        raise ValueError

    assert learners_line(outcome_of(silent, 1).error, silent).endswith("ValueError: (no message)")
