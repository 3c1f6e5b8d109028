"""With outcomes that are kept a check says what it says without, and patience is measured all the same."""

import time

import pytest
from small_exercises import ANSWERS, CALLS, floored, four, half, numbers, slow, two

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.time_limit import SECONDS
from lessonkit.review.cached_judge import Judging


@pytest.fixture(autouse=True)
def none_called():
    CALLS.clear()


def judged(judging, exercise, answers, seed):
    found = [judging.verdict(exercise, answer, seed) for answer in answers]
    return [(verdict.state, verdict.message) for verdict in found]


def test_the_verdicts_are_the_same_and_ours_runs_once_for_each_seed(monkeypatch):
    monkeypatch.setattr("lessonkit.checks.expected.SECONDS", 60)  # so a reference is never measured twice
    halves, twos = Exercise(half, inputs=numbers, mistakes=[floored]), Exercise(two, mistakes=[four])

    def all_of(judging):
        return [judged(judging, halves, ANSWERS, seed) for seed in (1, 2)], judged(judging, twos, [2, 3, 4], 1)

    plain = all_of(Judging(keep=False))
    # Every state but "too slow".
    assert len({state for states in (*plain[0], plain[1]) for state, _ in states}) == 5
    CALLS.clear()
    assert all_of(Judging()) == plain
    # Four inputs on two seeds: `half` once kept, once for its patience, once as the first answer. What `floored`
    # gives is at once its own answer and what the other answers are compared with.
    assert CALLS.count("half") == 2 * 4 * 3 and CALLS.count("floored") == 2 * 4 and CALLS.count("two") == 1


def test_an_answer_gets_the_patience_that_a_slow_reference_needs():
    question = Exercise(slow, inputs=lambda seed: [(seed,)])
    as_slow = [lambda x: time.sleep(1.5 * SECONDS) or x] * 2
    assert [state for state, _ in judged(Judging(), question, as_slow, 1)] == ["passed", "passed"]
    assert CALLS.count("slow") == 3  # measured twice, and kept once: the second answer has no need of it
