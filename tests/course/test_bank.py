"""The bank: every wrong answer in it is refused, every right one accepted, and there are enough of both."""

import itertools
from functools import cache

import pytest
from answer_bank import BANK, RIGHT, WRONG, answer, exercise_of, files, foreseen, form, purpose, statement
from explanations import exercises

from course_utils.checks.compare import difference
from course_utils.checks.verdict import Verdict

EXERCISES = exercises()
each_exercise = pytest.mark.parametrize("name", EXERCISES)


def each(kind):
    return pytest.mark.parametrize("path", files(kind), ids=lambda path: f"{exercise_of(path)}-{path.stem}")


@cache
def check(path):
    exercise = EXERCISES[exercise_of(path)]
    vars(exercise)["_checks"] = itertools.count(1)  # a learner's first inputs, whatever other tests have checked
    return exercise.check(answer(path))


@each("wrong")
def test_a_wrong_answer_is_refused(path):
    verdict = check(path)
    assert type(verdict) is Verdict
    assert verdict.state not in ("passed", "not attempted"), f"{purpose(path)}\n{verdict}"
    assert verdict.message


@each("right")
def test_a_right_answer_is_accepted(path):
    verdict = check(path)
    assert verdict.passed, f"{purpose(path)}\n{verdict}"


@each_exercise
def test_there_are_enough_answers(name):
    """Wrong ones that the check knows as a mistake were foreseen, so they do not count."""
    wrong = [check(path) for path in files("wrong") if exercise_of(path) == name]
    unforeseen = [verdict for verdict in wrong if verdict.state != "known mistake"]
    right = [path for path in files("right") if exercise_of(path) == name]
    assert len(unforeseen) >= WRONG, f"of {len(wrong)} wrong answers {len(wrong) - len(unforeseen)} were foreseen"
    assert len(right) >= RIGHT


@each_exercise
def test_no_answer_is_another_in_other_names(name):
    seen = dict.fromkeys(foreseen(name), "the record of references and mistakes")
    for path in [path for path in files() if exercise_of(path) == name]:
        this = form(path.read_text(encoding="utf-8"), path.parent.name)
        assert this not in seen, f"{path.name} is a copy of what is in {seen[this]}"
        seen[this] = path.name


@pytest.mark.parametrize("name", [name for name, exercise in EXERCISES.items() if exercise.inputs is None])
def test_no_wrong_value_is_there_twice(name):
    seen = [(mistake.__name__, mistake()) for mistake in EXERCISES[name].mistakes]
    for path in [path for path in files("wrong") if exercise_of(path) == name]:
        value = answer(path)
        twins = [other for other, there in seen if type(there) is type(value) and difference(value, there) is None]
        assert not twins, f"{path.name} has the value of {twins[0]}"
        seen.append((path.name, value))


def test_every_file_belongs_to_an_exercise_and_says_what_it_is():
    strays = [path for path in BANK.rglob("*.py") if path not in files("wrong") + files("right")]
    assert not strays, "neither CHAPTER/NAME/wrong_*.py nor CHAPTER/NAME/right_*.py"
    assert {exercise_of(path) for path in files()} <= set(EXERCISES)
    assert [path for path in files() if len(purpose(path).split()) < 3] == []


@each_exercise
def test_a_statement_gives_nothing_away(name):
    """The bank is written from it, so it must hold neither a hint nor the explanation of a mistake."""
    shown = statement(*name.split("."))
    exercise = EXERCISES[name]
    assert f"{exercise.name}.check(" in shown and "### Exercise" in shown
    kept = [*exercise.hints, *(" ".join(mistake.__doc__.split()) for mistake in exercise.mistakes)]
    assert not [text for text in kept if text in shown]


def test_a_copy_is_seen_through_other_names():
    one = 'import torch\n\n\ndef mean(x):\n    """Doc."""\n    total = x.sum()\n    return total / len(x)\n'
    other = "def answer(values: list) -> float:\n    s = values.sum()  # a comment\n    return s / len(values)\n"
    assert form(one, "mean") == form(other, "answer")
    assert form(one, "mean") != form(other.replace("/", "*"), "answer")
