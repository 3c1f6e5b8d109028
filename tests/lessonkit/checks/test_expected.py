"""The expected outcomes are computed after an answer has run; cached ones give the same verdict."""

import time

import pytest
from small_exercises import ANSWERS, CALLS, floored, four, half, numbers, slow, two

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.expected import Expected
from lessonkit.checks.judge import judged, verdict
from lessonkit.checks.outcomes import Outcome, Outcomes, collect
from lessonkit.checks.time_limit import SECONDS


@pytest.fixture(autouse=True)
def _nothing_called():
    CALLS.clear()


def said(exercise, answers, make):
    found = [judged(exercise, answer, expected=make()) for answer in answers]
    return [(verdict.state, verdict.message) for verdict in found]


def test_the_verdicts_are_the_same_and_what_is_kept_runs_once_for_each_seed(monkeypatch):
    monkeypatch.setattr("lessonkit.checks.expected.SECONDS", 60)  # so a reference is never measured twice
    halves, twos = Exercise(half, inputs=numbers, mistakes=[floored]), Exercise(two, mistakes=[four])
    cases = [(halves, ANSWERS, 1), (halves, ANSWERS, 2), (twos, [2, 3, 4], 1)]
    anew = [said(exercise, answers, lambda e=exercise, s=seed: Expected(e, s)) for exercise, answers, seed in cases]
    # Every state but "too slow".
    assert len({state for states in (anew[0], anew[2]) for state, _ in states}) == 5
    CALLS.clear()
    kept = [(exercise, answers, Expected(exercise, seed)) for exercise, answers, seed in cases]
    assert [said(exercise, answers, lambda o=expected: o) for exercise, answers, expected in kept] == anew
    # Four inputs on two seeds: once kept and once for its patience; `half` itself is also the first answer.
    assert CALLS.count("half") == 2 * 4 * 3 and CALLS.count("floored") == 2 * 4 * 2 and CALLS.count("two") == 1


def test_an_answer_gets_the_patience_that_a_slow_reference_needs():
    expected = Expected(Exercise(slow, inputs=lambda seed: [(seed,)]), 1)
    as_slow = [lambda x: time.sleep(1.5 * SECONDS) or x] * 2
    assert [state for state, _ in said(expected.exercise, as_slow, lambda: expected)] == ["passed", "passed"]
    assert CALLS.count("slow") == 3  # measured twice, and kept once: the second answer has no need of it


def test_the_reference_runs_for_its_patience_then_the_answer_then_the_reference_and_a_mistake():
    question = Exercise(half, inputs=lambda seed: [(3,)], mistakes=[floored])
    expected = Expected(question, 1)

    def answer(x):
        assert "wanted" not in vars(expected) and not expected._guesses  # nothing is there that it could find
        CALLS.append("answer")
        return x

    assert judged(question, answer, expected=expected).state == "wrong"
    assert [name for name in CALLS if name != "half"] == ["answer", "floored"]
    after = CALLS[CALLS.index("answer") :]
    assert CALLS[0] == "half" and after == ["answer", "half", "floored"]


def test_a_verdict_runs_no_answer_and_no_mistake_that_it_does_not_need():
    question = Exercise(half, inputs=numbers, mistakes=[floored])
    outcomes = collect(question, lambda x: CALLS.append("answer") or half(x), seed=1, patience=lambda: 1.0)
    assert CALLS.count("answer") == 4
    CALLS.clear()
    expected = Expected(question, 1)
    assert verdict(question, outcomes, expected).passed and verdict(question, outcomes, expected).passed
    assert CALLS == ["half"] * 4


def test_of_a_stub_and_of_what_cannot_be_called_nothing_runs():
    question = Exercise(half, inputs=numbers)
    for answer, state in ((..., "not attempted"), (lambda x: None, "not attempted"), (7, "wrong")):
        assert judged(question, answer, expected=Expected(question, 1)).state == state
    assert CALLS == []


def test_outcomes_may_come_from_anywhere():
    question = Exercise(half, inputs=lambda seed: [(3,), (-1,)])
    right = (Outcome(1.5), Outcome(error=ValueError("in other words")))

    def said_of(*each, **more):
        return verdict(question, Outcomes(kind="function", callable=True, untouched=False, each=each, **more),
                       Expected(question, 1))  # fmt: skip

    assert said_of(*right).passed
    assert said_of(*right[:1]).state == "too slow" and said_of(*right, ending="stopped").state == "too slow"
    assert "but it holds a loop" in said_of(*right, against="it holds a loop").message
    raised = said_of(right[0], Outcome(error=TypeError("no"), line="Line 3 of your cell raised: `no`"))
    assert raised.state == "raised" and raised.message.startswith(
        "Line 3 of your cell raised: `no`\nFor this input the function must raise"
    )
    assert "Is a `return` missing" in said_of(Outcome(), right[1]).message
    assert "a path ends without a `return`" in said_of(Outcome(), right[1], returns=True).message
