"""Which exercises have the same outcomes for every seed: what an answer would tell could be learnt by heart.

A submission that patches what drives it could pass these without solving them; of all others it has to know the
right outcomes for a seed that it meets once. One that cannot be otherwise is named in BY_HEART, with its reason.
"""

import importlib

import pytest

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.expected import Expected
from lessonkit.checks.judge import unlike
from lessonkit.notebook.catalog import find

BY_HEART: dict[str, set[str]] = {}  # chapter -> exercises; none at present


def by_heart(exercise):
    """Whether the reference gives the same for two seeds, error by error and value by value."""
    first, second = (Expected(exercise, seed).wanted for seed in (11, 12))
    differences = (unlike(exercise, *two) for two in zip(first, second, strict=False))
    return len(first) == len(second) and not any(differences)


@pytest.mark.parametrize("chapter", [chapter.slug for chapter in find()])
def test_the_exercises_that_can_be_told_by_heart_are_known(chapter):
    module = importlib.import_module(f"course_utils.exercises.{chapter}")
    found = [one for one in vars(module).values() if isinstance(one, Exercise) and one.inputs]
    assert {one.name for one in found if by_heart(one)} == BY_HEART.get(chapter, set())
