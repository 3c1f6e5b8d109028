"""Each recorded right answer still passes; each wrong one still earns the explanation that was written for it."""

import json

import pytest
from explanations import RECORD, exercises, explanation, rebuild
from kept_ours import check as check_keeping

EXERCISES = exercises()
WRITTEN = json.loads(RECORD.read_text(encoding="utf-8"))
WRONG = [(name, i, pair) for name, one in WRITTEN.items() for i, pair in enumerate(one["wrong"])]
PAIRS = [(name, pair["answer"], pair["explanation"], 2 + i % 3) for name, i, pair in WRONG]  # and a seed


@pytest.mark.parametrize("name", WRITTEN)
def test_the_recorded_reference_still_passes(name):
    verdict = check(name, WRITTEN[name]["right"])
    assert verdict.passed, f"{verdict}\nThe reference of {name} no longer gives what it gave when it was recorded."


@pytest.mark.parametrize(("name", "code", "expected", "seed"), PAIRS, ids=[f"{n}-{e[:20]}" for n, _, e, _ in PAIRS])
def test_the_recorded_answer_earns_its_own_explanation(name, code, expected, seed):
    verdict = check(name, code, seed)
    assert verdict.state == "known mistake"
    assert verdict.message.startswith(expected), f"for the answer\n{code}"


def test_the_record_is_complete():
    known = {(name, explanation(mistake)) for name, one in EXERCISES.items() for mistake in one.mistakes}
    unwritten = [pair for pair in known if not any(n == pair[0] and pair[1].startswith(e) for n, _, e, _ in PAIRS)]
    assert not unwritten and len(PAIRS) == len(known) and set(WRITTEN) == set(EXERCISES), (
        "run `python tests/course/explanations.py` and read its diff"
    )


def check(name, code, seed=2):
    """Hand in recorded code as a learner would, on other inputs than test_exercises.py."""
    exercise, answer = EXERCISES[name], rebuild(name, code)
    return check_keeping(exercise, answer() if exercise.inputs is None else answer, seed)
