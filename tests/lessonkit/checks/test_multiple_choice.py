"""A letter is judged over any object with a question, options and an answer; the judge knows no file of cases."""

from types import SimpleNamespace

import pytest

from lessonkit.checks.multiple_choice import judge

OPTIONS = {
    "a": SimpleNamespace(text="3", why="That would be one and two."),
    "b": SimpleNamespace(text="4", why="Two and two."),
}
SUM = SimpleNamespace(id="sum_of_twos", number=1, question="How much is 2 + 2?", options=OPTIONS, answer="b")


@pytest.mark.parametrize(
    ("answer", "state", "message"),
    [
        (None, "not attempted", "How much is 2 + 2?\na  3\nb  4"),
        (..., "not attempted", "How much is 2 + 2?\na  3\nb  4"),
        ("a", "known mistake", "That would be one and two."),
        ("b", "passed", "Two and two. In the index: `sum_of_twos`."),
        (" B\n", "passed", "Two and two. In the index: `sum_of_twos`."),
        ("c", "wrong", "Found 'c', expected one of a, b, as a string."),
        (["a"], "wrong", "Found ['a'], expected one of a, b, as a string."),
        (4, "wrong", "Found 4, expected one of a, b, as a string."),
    ],
)
def test_what_is_said_of_an_answer(answer, state, message):
    verdict = judge("case 1", SUM, answer)
    assert (verdict.exercise, verdict.state, verdict.message) == ("case 1", state, message)


def test_who_asks_by_the_id_is_not_told_it_again():
    assert judge("sum_of_twos", SUM, "b").message == "Two and two."
