"""An exercise that is not complete, a reference that fails, a mutant that slips through: each is an error."""

import time

import pytest
from toys import code, notebook

from lessonkit.checks.exercise import Exercise
from lessonkit.review import exercises, mutants
from lessonkit.review.cached_judge import Judging
from lessonkit.review.chapter import Review
from lessonkit.review.diagnostics import errors

CALLS = []


def total(values):
    """Sum of them."""
    result = 0
    for value in values:
        result += value
    return result


def kept_the_last(values):
    """You kept the last value only, where the sum of all of them was to be returned."""
    return values[-1] if values else 0


def counted(values):
    """You counted the values, where the sum of all of them was to be returned."""
    return len(values)


def lists(seed):
    return [([seed, 5, 7],), ([],), ([-3, seed],)]


def same(seed):
    return [([1, 2],), ([2],), ([],)]


def short(values):
    """Too little."""


HINTS = ("Begin with zero.", "Add each.")


def asked(reference=total, *, mistakes=(kept_the_last, counted), hints=HINTS, inputs=lists):
    return Exercise(reference, inputs=inputs, mistakes=mistakes, hints=hints)


def recursive(values):
    return values[0] + recursive(values[1:]) if values else 0


def changing(values):
    CALLS.append(1)
    return len(CALLS)


def slow(values):
    time.sleep(0.8)
    return sum(values)


@pytest.mark.parametrize(
    ("exercise", "complaint"),
    [
        (asked(mistakes=[counted]), "1 known mistakes"),
        (asked(hints=["Add."]), "1 hints"),
        (asked(mistakes=[counted, counted]), "two known mistakes have the same explanation"),
        (asked(mistakes=[counted, short]), "the mistake short has no explanation"),
        (asked(inputs=lambda seed: lists(seed)[:2]), "2 inputs"),
        (asked(inputs=same), "the inputs of two seeds are the same"),
        (asked(recursive), "calls itself by name"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_exercise_that_is_not_complete_is_an_error(exercise, complaint):
    assert errors(exercises.complete(asked())) == []
    assert complaint in "; ".join(errors(exercises.complete(exercise)))


def test_a_reference_that_fails_or_takes_long_is_an_error():
    assert errors(exercises.reference(asked())) == []
    assert "the reference does not pass on seed 1" in errors(exercises.reference(asked(changing)))[0]
    assert "takes" in errors(exercises.reference(asked(slow), seeds=[1]))[-1]


def test_a_cheap_answer_that_is_accepted_is_an_error():
    assert errors(exercises.cheap(asked(), Judging())) == []

    def first(values):
        return values

    assert errors(exercises.cheap(asked(first), Judging())) == ["a cheap answer is accepted: first"]


def test_a_mutant_that_slips_through_and_a_listed_one_that_does_not_are_errors():
    def first_or_none(values):
        return values[0] + 0 if values else 0

    assert errors(mutants.refused(asked(), {}, judging=Judging())) == []
    exercise, slipped = asked(first_or_none), "line 2: Add -> Sub"
    assert errors(mutants.refused(exercise, {}, judging=Judging(), thorough=True)) == [
        f"a mutant is accepted, and equivalent_mutants.toml gives no reason: {slipped}"
    ]
    listed = {slipped: "nothing is added to it", "line 9: 1 -> 2": "there is no such line"}
    assert errors(mutants.refused(exercise, listed, judging=Judging())) == [
        "equivalent_mutants.toml lists a mutant that is refused or does not exist: line 9: 1 -> 2"
    ]


def test_a_reference_that_holds_too_little_to_mutate_is_an_error():
    def nothing(values):
        pass

    assert "is the reference more than a call?" in errors(mutants.refused(asked(nothing), {}, judging=Judging()))[0]


def test_entries_without_a_reason_or_an_exercise_are_errors():
    found = errors(mutants.reasons({"a.b": {"line 1: 1 -> 2": "no"}, "a.c": {}}, {"a.b"}))
    assert [one.partition(" ")[0] for one in found] == ["equivalent_mutants.toml,", "equivalent_mutants.toml"]


def test_an_exercise_that_is_not_asked_once_is_an_error():
    one, other = (code("ex.total.check(total)", "exercise") for _ in range(2))
    assert errors(exercises.asked("toys.total", notebook(one))) == []
    for cells in ([], [one, other]):
        assert (
            f"{len(cells)} cells of the notebook ask it"
            in errors(exercises.asked("toys.total", notebook(*cells)))[0]
        )


def test_a_chapter_without_exercises_is_an_error(tmp_path):
    found = errors(Review(tmp_path, "course_utils.exercises")._strays(type("Chapter", (), {"slug": "toys"}), {}))
    assert found == ["course_utils.exercises.toys has no exercise, or does not exist"]
