"""What a judge does beyond one comparison: patience, inputs that are gone, long output, results of no use."""

import time

import torch

from course_utils import PROJECT
from lessonkit.checks.exercise import Exercise


def doubled(x):
    """Twice as much."""
    return 2 * x


def numbers(seed):
    return [(seed,), (0,), (-3,)]


def test_who_waits_for_a_slow_reference_waits_for_a_slow_answer_too():
    def slowly(x):
        time.sleep(0.05)
        return 2 * x

    def slower(x):
        time.sleep(0.4)
        return x + x

    assert Exercise(slowly, inputs=numbers).check(slower).passed  # 1.2 s, and 20 times the reference's are 3 s
    assert Exercise(doubled, inputs=numbers).check(slower).state == "too slow"


def test_a_question_whose_inputs_are_gone_passes_nobody():
    question = Exercise(doubled, inputs=lambda seed: [])
    assert question.check(lambda x: x + x).state == "too slow"
    assert question.check(lambda x: None if x else 0).state == "too slow"


def test_the_same_seed_gives_the_same_inputs_and_leaves_the_fresh_ones_alone():
    seen = []

    def answer(x):
        seen.append(x)
        return x + x

    question = Exercise(doubled, inputs=numbers)
    for seed in (7, None, 7, None):
        assert question.check(answer, seed=seed).passed
    assert seen == [7, 0, -3, 1, 0, -3, 7, 0, -3, 2, 0, -3]
    assert "ex.doubled.example(7, 0)" in question.check(lambda x: x * x, seed=7).message


def test_long_output_is_cut():
    verdict = Exercise(doubled, inputs=numbers).check(lambda x: print("x" * 700) or x + x)
    assert verdict.passed and verdict.printed.endswith("… (2103 characters in all)")
    assert len(verdict.printed) < 1050


def test_a_result_that_the_probe_cannot_use_is_told_apart_from_a_call_that_failed():
    def twice(x):
        return torch.tensor(2 * x)

    def written_in(file, source):  # a probe is code of the package, an answer is not
        return eval(compile(source, str(file), "eval"))

    probe = written_in(PROJECT / "course_utils" / "exercises" / "it.py", "lambda answer, x: answer(x).item()")
    question = Exercise(twice, inputs=numbers, probe=probe)
    unusable, uncallable = written_in("cell", "lambda x: 3"), written_in("cell", "lambda: 3")
    assert "What it returned could not be used. AttributeError" in question.check(unusable).message
    assert "It could not be called. TypeError" in question.check(uncallable).message


def test_the_tolerances_of_an_exercise_reach_its_mistakes_and_its_values():
    def third():
        return 1 / 3

    def quarter():
        """You divided by four, not by three."""
        return 0.25

    question = Exercise(third, mistakes=(quarter,), rtol=0.1, atol=0)
    assert question.check(0.34).passed and question.check(0.26).state == "known mistake"
    assert question.check(0.4).state == "wrong"
