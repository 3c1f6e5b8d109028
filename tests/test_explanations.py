"""Each recorded wrong answer still earns the explanation that was written for it."""

import json

import pytest
from explanations import RECORD, exercises, explanation, rebuild

EXERCISES = exercises()
WRITTEN = json.loads(RECORD.read_text(encoding="utf-8"))
PAIRS = [(name, pair["answer"], pair["explanation"]) for name, pairs in WRITTEN.items() for pair in pairs]


@pytest.mark.parametrize(("name", "code", "expected"), PAIRS, ids=[f"{n}-{e[:20]}" for n, _, e in PAIRS])
def test_the_recorded_answer_earns_its_own_explanation(name, code, expected):
    exercise, answer = EXERCISES[name], rebuild(name, code)
    verdict = exercise.check(answer() if exercise.inputs is None else answer)
    assert verdict.state == "known mistake"
    assert verdict.message.startswith(expected), f"for the answer\n{code}"


def test_the_record_is_complete():
    known = {(name, explanation(mistake)) for name, one in EXERCISES.items() for mistake in one.mistakes}
    unwritten = [pair for pair in known if not any(n == pair[0] and pair[1].startswith(e) for n, _, e in PAIRS)]
    assert not unwritten and len(PAIRS) == len(known), "run `python tests/explanations.py` and read its diff"
