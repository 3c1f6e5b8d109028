"""Mistakes that no input tells apart, that earn another's explanation, or that are known by little are found."""

import pytest

from lessonkit.checks.exercise import Exercise
from lessonkit.review.cached_judge import Judging
from lessonkit.review.diagnostics import errors, warnings
from lessonkit.review.mistakes import explained, thin, told_apart


def half(x):
    """Half of it."""
    return x / 2


def same(x):
    """You returned it as it was."""
    return x


def twice_halved(x):
    """You took the half, and of that the half times two."""
    return x / 2 / 2 * 2


def raised(x):
    """You raised an error where none was asked for."""
    raise ValueError


def also_same(x):
    """You multiplied by one."""
    return x * 1


def four():
    """You squared it."""
    return 4


def two():
    return 2


def numbers(seed):
    return [(seed,), (3,), (0,)]


def asked(*mistakes):
    return Exercise(half, inputs=numbers, mistakes=mistakes)


@pytest.mark.parametrize(
    ("mistakes", "words"),
    [
        ((same,), None),
        ((twice_halved, same), "no input tells twice_halved from the right answer"),
        ((same, raised, also_same), "no input tells same from also_same"),
    ],
)
def test_what_is_not_told_apart_is_an_error_on_each_seed(mistakes, words):
    found = errors(told_apart(asked(*mistakes), Judging()))
    assert found == ([f"seed {seed}: {words}" for seed in (1, 2, 3)] if words else [])


def test_a_mistake_that_is_met_with_the_words_of_another_is_an_error():
    exercise, judging = asked(same, also_same, twice_halved), Judging()
    assert errors(explained(exercise, same, judging=judging)) == []
    (first, *_) = errors(explained(exercise, also_same, judging=judging))
    assert "also_same is not met with its own explanation on seed 1: known mistake, 'You returned it as" in first
    (first, *_) = errors(explained(exercise, twice_halved, judging=judging))
    assert "twice_halved is not met with its own explanation on seed 1: passed" in first
    assert errors(explained(Exercise(two, mistakes=[four]), four, judging=judging)) == []


def test_a_mistake_that_runs_out_of_time_is_an_error(monkeypatch):
    monkeypatch.setattr("lessonkit.checks.expected.SECONDS", 0.2)

    def endless(x):
        """You never came to an end, where the half was to be returned."""
        while x != 3:
            pass
        return x

    exercise, judging = asked(endless), Judging()
    assert "seed 1: endless ran out of time" in errors(told_apart(exercise, judging, seeds=[1]))[0]
    assert "too slow" in errors(explained(exercise, endless, judging=judging, seeds=[1]))[0]
    assert list(thin(exercise, judging)) == []


def test_thin_evidence_is_advice():
    found = list(thin(asked(same, raised), Judging()))
    assert errors(found) == []
    assert [text.partition(" is known by thin evidence: ValueError")[0] for text in warnings(found)] == [
        "the mistake raised"
    ]
