"""The bank: every wrong answer in it is refused, every right one accepted, and there are enough of both."""

import jupytext
import pytest
from content import ANSWERS, BANK, EXERCISES, answers

from lessonkit.review import bank

FILES = sorted(ANSWERS.rglob("*.py"))
VERDICTS = {}  # of the wrong answers that this process has judged: each is judged once
each_exercise = pytest.mark.parametrize("name", EXERCISES)


def judged(one, judging):
    """What is wrong with the verdict on an answer, whatever other tests have judged before."""
    if one not in VERDICTS:
        VERDICTS[one] = bank.judged(one, EXERCISES[one.exercise], judging)
    return VERDICTS[one]


@pytest.mark.parametrize("one", BANK, ids=lambda one: f"{one.exercise}-{one.label}")
def test_a_wrong_answer_is_refused_and_a_right_one_accepted(one, judging):
    assert judged(one, judging)[1] == []


@each_exercise
def test_there_are_enough_answers(name, judging):
    verdicts = [judged(one, judging)[0] for one in bank.of_kind(answers(name), "wrong")]
    assert list(bank.enough(answers(name), verdicts)) == []


@each_exercise
def test_no_answer_is_a_copy_and_each_says_what_it_is(name):
    assert list(bank.copies(answers(name), EXERCISES[name])) == []


def test_every_exercise_has_its_file():
    assert {one.exercise for one in BANK} == set(EXERCISES)
    assert len(FILES) == len(EXERCISES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_an_editor_sees_the_same_cells(path):
    """Jupytext's percent format is what editors and JupyterLab read."""
    cells = jupytext.read(path, fmt="py:percent").cells
    here = bank.read_answers(path, EXERCISES)
    assert [cell.metadata["title"] for cell in cells] == [f"{one.label}: {one.purpose}" for one in here]
    assert [cell.source.rstrip() for cell in cells] == [one.code.rstrip() for one in here]
