"""The clinic's cases are whole: every field said, every option explained, every chapter there."""

import re

import pytest

from course_utils import PROJECT
from torch_clinic.cases import KINDS, CaseError, known_cases, make_case, read_cases

NOTEBOOKS = PROJECT / "notebooks"
CASES = read_cases()
KNOWN = known_cases()
ASKED = [case for case in CASES.values() if case.question]
WHOLE = {
    **dict.fromkeys(("title", "group", "message", "read", "look", "fix", "chapter"), "words"),
    "kind": "loud",
}
ASKING = {"question": "which?", "answer": "a", "a": ["one", "right"], "b": ["two", "wrong"]}


def test_there_are_at_least_the_promised_cases_of_both_kinds():
    assert len(CASES) >= 34
    assert sum(case.kind == "silent" for case in CASES.values()) >= 9
    assert len(ASKED) >= 25


@pytest.mark.parametrize("case", KNOWN.values(), ids=KNOWN)
def test_a_case_says_everything_in_its_own_words(case):
    for field in ("title", "group", "message", "read", "look", "fix"):
        assert len(getattr(case, field)) > 3, field
    assert case.kind in KINDS
    assert (case.group == "silent") == (case.kind == "silent")
    assert re.fullmatch(r"\d\d [a-z_]+", case.chapter)
    assert not re.search(r"\b(simply|just|very|powerful|let's)\b", f"{case.read} {case.look} {case.fix}")


@pytest.mark.parametrize("case", KNOWN.values(), ids=KNOWN)
def test_the_chapter_of_a_case_is_there(case):
    written = {path.stem for path in NOTEBOOKS.glob("[0-9][0-9]_*.ipynb")}
    later = {"10_multi_gpu", "11_allreduce"}
    assert case.chapter.replace(" ", "_") in written | later


@pytest.mark.parametrize("case", ASKED, ids=[case.id for case in ASKED])
def test_every_option_has_an_explanation_of_its_own(case):
    assert 2 <= len(case.options) <= 4
    assert list(case.options) == ["a", "b", "c", "d"][: len(case.options)]
    reasons = [option.why for option in case.options.values()]
    assert len(set(reasons)) == len(reasons)
    assert all(len(reason.split()) > 6 for reason in reasons)


def test_the_right_letter_cannot_be_guessed_by_its_place():
    letters = [case.answer for case in ASKED]
    assert all(letters.count(letter) >= len(letters) / 6 for letter in "abc")


def test_each_title_and_each_message_belongs_to_one_case_unless_torch_says_the_same_twice():
    titles = [case.title for case in KNOWN.values()]
    assert len(set(titles)) == len(titles)
    twice = "Boolean value of Tensor with more than one value is ambiguous"
    messages = [case.message for case in KNOWN.values() if case.message != twice]
    assert len(set(messages)) == len(messages)


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ({**WHOLE, "kind": "quiet"}, "toy: kind is 'quiet'; expected one of loud, silent"),
        ({**WHOLE, "colour": "red"}, "toy: .*colour"),
        ({key: value for key, value in WHOLE.items() if key != "fix"}, "toy: .*fix"),
        ({**WHOLE, **ASKING, "answer": "c"}, "toy: a question needs options"),
        ({**WHOLE, **ASKING, "question": ""}, "toy: a question needs options"),
        ({**WHOLE, "question": "which?"}, "toy: a question needs options"),
        ({**WHOLE, **ASKING, "b": ["two"]}, "toy: option b is .*expected two strings"),
        ({**WHOLE, **ASKING, "b": "two"}, "toy: option b is 'two'"),
    ],
)
def test_a_table_that_cannot_be_used_is_named(table, complaint):
    with pytest.raises(CaseError, match=complaint):
        make_case("toy", table)


def test_the_chapters_index_holds_its_own_cases_alone():
    assert set(CASES) < set(KNOWN) and list(KNOWN)[: len(CASES)] == list(CASES)
    assert not any(case.question or case.number for case in KNOWN.values() if case.id not in CASES)


def test_cases_are_read_once_and_cannot_be_changed():
    assert read_cases() is CASES
    with pytest.raises(TypeError):
        CASES["mm_shapes"] = None
    with pytest.raises(AttributeError):
        CASES["mm_shapes"].answer = "a"
    with pytest.raises(TypeError):
        CASES["mm_shapes"].options["a"] = None
