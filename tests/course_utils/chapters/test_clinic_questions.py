"""A question with options: the right letter passes, each wrong one is met with its own words."""

import pytest

from course_utils.chapters.clinic import ask, find
from lessonkit.checks.verdict import MIME
from lessonkit.notebook.catalog import find_question
from torch_clinic.cases import read_cases

CASES = read_cases().values()
ASKED = {name: case for name, case in read_cases().items() if case.question}


@pytest.mark.parametrize("case", ASKED.values(), ids=ASKED)
def test_each_letter_gets_its_own_explanation(case):
    for letter, option in case.options.items():
        verdict = ask(case.id, letter)
        assert verdict.message == option.why
        assert verdict.state == ("passed" if letter == case.answer else "known mistake")
        assert verdict.passed == (letter == case.answer)


@pytest.mark.parametrize("nothing", [None, ...])
def test_without_an_answer_the_question_and_its_options_are_shown(nothing):
    verdict = ask("mm_shapes", nothing)
    assert verdict.state == "not attempted"
    case = read_cases()["mm_shapes"]
    assert verdict.message.splitlines()[0] == case.question
    assert [line[0] for line in verdict.message.splitlines()[1:]] == list(case.options)


@pytest.mark.parametrize("answer", ["d", "", "ab", 1, True, [], {"a"}, 0.5, "the first"])
def test_anything_else_is_refused_in_words(answer):
    verdict = ask("mm_shapes", answer)
    assert verdict.state == "wrong"
    assert "expected one of a, b, c" in verdict.message


def test_capitals_and_spaces_are_no_mistake():
    right = read_cases()["mm_shapes"].answer
    assert ask("mm_shapes", f" {right.upper()} ").passed


@pytest.mark.parametrize("name", ["mm_shape", "view_numel", "", None])
def test_a_case_that_asks_nothing_is_an_error_that_names_others(name):
    with pytest.raises(ValueError, match=r"^No case .* with a question; there are \w+"):
        ask(name, "a")


def test_the_report_sees_it_like_an_exercise():
    assert ask("mm_shapes", None)._repr_mimebundle_()[MIME] == {"exercise": "mm_shapes", "state": "not attempted"}


def test_a_number_stands_for_the_case_and_the_id_comes_with_the_right_answer():
    numbered = sorted(case.number for case in CASES if case.number)
    assert numbered == list(range(1, len(numbered) + 1))
    for case in ASKED.values():
        assert case.number, "asked in chapter 12, so it has its place there"
        for letter in (None, *case.options):
            verdict = ask(f"case {case.number}", letter)
            assert verdict.state == ask(case.id, letter).state
            assert (f"In the index: `{case.id}`" in verdict.message) == (letter == case.answer)


@pytest.mark.parametrize("name", ["case 0", "case 99", "case", "case one"])
def test_a_number_that_no_question_has_is_an_error_that_names_others(name):
    with pytest.raises(ValueError, match=r"^No case .* with a question; there are case \d"):
        ask(name, "a")


def test_the_engine_finds_the_same_questions_by_the_name_of_our_function():
    for case in ASKED.values():
        assert find_question(case.id) is find_question(f"case {case.number}") is find(case.id) is case
    assert find_question("case 99") is find_question(None) is None
