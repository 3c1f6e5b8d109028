"""Every explanation has inputs that tell it from the right answer and from each other explanation."""

import pytest
from explanations import exercises
from mistakes import alike, outcomes, thin

from lessonkit.checks.exercise import Exercise

EXERCISES = exercises()


@pytest.mark.parametrize("name", EXERCISES)
def test_an_input_tells_each_mistake_from_its_neighbours(name):
    assert alike(name) == []


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


def numbers(seed):
    return [(seed,), (3,), (0,)]


@pytest.fixture
def asked(monkeypatch):
    def ask(*mistakes):
        question = Exercise(half, inputs=numbers, mistakes=mistakes)
        monkeypatch.setattr("mistakes.exercises", lambda: {"some.half": question})
        outcomes.cache_clear()
        return "some.half"

    yield ask
    outcomes.cache_clear()


def test_what_is_not_told_apart_is_found(asked):
    assert alike(asked(same)) == []
    assert {two[1:] for two in alike(asked(same, twice_halved))} == {("twice_halved", "the right answer")}
    assert {two[1:] for two in alike(asked(same, raised, also_same))} == {("same", "also_same")}


def test_thin_evidence_is_found(asked):
    assert list(thin(asked(same, raised))) == ["raised"]
