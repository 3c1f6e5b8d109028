"""A learner reads digits that differ, names of places, short inputs, and no word of the check's own making."""

import math

import pytest
import torch

from lessonkit.checks.compare import difference
from lessonkit.checks.exercise import Exercise
from lessonkit.checks.wording import short


@pytest.mark.parametrize(
    ("found", "expected", "words"),
    [
        (1317647, 1317647.0588, "Found 1317647, expected 1317647.06, a difference of 0.059."),
        (-16.41917, -16.419171234, "Found -16.41917, expected -16.4191712, a difference of 1.2e-06."),
        (0.2442711, 0.2444635, "Found 0.2442711, expected 0.2444635, a difference of 0.00019."),
        (0.1, 0.2, "Found 0.1, expected 0.2."),
        (math.nan, 1.0, "Found nan, expected 1."),
        (16777217, 16777216, "Found 16777217, expected 16777216."),
        (3 + 1e-9j, 3 + 2e-9j, "Found (3+1e-09j), expected (3+2e-09j)."),
    ],
)
def test_numbers_are_shown_with_the_digits_that_differ(found, expected, words):
    assert difference(found, expected, rtol=1e-12, atol=0) == words


def test_elements_of_tensors_too():
    one, other = (torch.tensor([1.0, x], dtype=torch.float64) for x in (2.00000001, 2.00000002))
    said = difference(one, other, rtol=0, atol=0)
    assert said == "Wrong at [1]: found 2.00000001, expected 2.00000002, a difference of 1e-08."


REPORT = [
    ({"the losses returned": {"in step 2": 1.4}}, {"the losses returned": {"in step 2": 2.1}},
     "The losses returned, in step 2: found 1.4, expected 2.1."),
    ({"the groups": [("a", [1]), ("b", [2, 3])]}, {"the groups": [("a", [1]), ("b", [2, 3, 4])]},
     "The groups: found [('a', [1]), ('b', [2, 3])], expected [('a', [1]), ('b', [2, 3, 4])]."),
    ({"each row beside its label": False}, {"each row beside its label": True},
     "This should hold, but it does not: each row beside its label."),
    ({"`y` kept": {"in step 2": True}}, {"`y` kept": {"in step 2": False}},
     "This should not hold, but it does: `y` kept, in step 2."),
    ({"what it said": "a dictionary"}, {"what it said": "a ValueError"},
     "What it said: found “a dictionary”, expected “a ValueError”."),
    (4, "no GPU (None)", "Found 4 (int), expected “no GPU (None)”."),
    ({"fc.weight": torch.ones(2)}, {"fc.weight": torch.ones(3)}, "`fc.weight`: shape (2,), expected (3,)."),
    ({"order": list(range(99))}, {"order": [*range(98), 0]}, "Order, at [98]: found 98, expected 0."),
    ({"count": True}, {"count": 1}, "Count: found True (bool), expected 1 (int)."),
]  # fmt: skip


@pytest.mark.parametrize(("found", "expected", "words"), REPORT)
def test_what_a_probe_reports_reads_as_a_sentence(found, expected, words):
    assert difference(found, expected, report=True) == words


@pytest.mark.parametrize(
    ("found", "expected", "words"),
    [
        ((torch.ones(9), torch.ones(9)), (torch.ones(9), torch.zeros(9)),
         "The second of the 2 values: wrong at [0]: found 1, expected 0. (9 of 9 elements are wrong)"),
         ([torch.ones(9)], [torch.zeros(9)],
          "At [0]: wrong at [0]: found 1, expected 0. (9 of 9 elements are wrong)"),
        ({"a": {3: 1}}, {"a": {3: 2}}, "At ['a'][3]: found 1, expected 2."),
        ([1, 2], [1.5, 2], "Found [1, 2], expected [1.5, 2]."),
        (True, False, "Found True, expected False."),
        (torch.ones(2, dtype=torch.int64), 3, "Found an int64 tensor of shape (2,), expected 3 (int)."),
    ],
)  # fmt: skip
def test_a_place_is_named(found, expected, words):
    assert difference(found, expected) == words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (1e30, "1e+30"),
        (0.999999999999, "0.999999999999"),
        (2 / 3, "0.6666667"),
        (torch.tensor(0.1), "torch.tensor(0.1)"),
        (torch.tensor(-0.0558475032), "torch.tensor(-0.0558475)"),
        (torch.tensor(1.0000001), "torch.tensor(1.00000012)"),
        ([1.0, 1 - 2**-40], "[1.0, 0.9999999999990905]"),
        (math.inf, "inf"),
        ("13.0", "'13.0'"),
        ((1,), "(1,)"),
        (torch.tensor([1.0, 0.5]), "torch.tensor([1.0, 0.5])"),
        (torch.tensor([], dtype=torch.int64), "torch.tensor([], dtype=torch.int64)"),
        (torch.empty(0, 28, 2, dtype=torch.uint8), "torch.empty((0, 28, 2), dtype=torch.uint8)"),
        (torch.tensor(3, dtype=torch.int32), "torch.tensor(3, dtype=torch.int32)"),
        ({"lr": 0.1}, "{'lr': 0.1}"),
        (torch.ones(9), None),
        ([print], None),
        ({"f": print}, None),
        ("x" * 99, None),
        (torch.nn.Parameter(torch.ones(1)), None),
    ],
)
def test_what_is_short_is_shown_as_it_is_typed(value, text):
    assert short(value) == text


def fits(build, driver):
    """Whether the driver will do."""
    return bool(build) and build <= driver


def versions(seed):
    return [("13.0", "12.8"), ("12.8", "13.0"), ("", "12.8")]


def test_a_short_input_stands_in_the_verdict():
    question = Exercise(fits, inputs=versions)
    said = question.check(lambda build, driver: build <= driver).message
    assert said == "Found True, expected False.\nThe input was `fits('', '12.8')`, from `ex.fits.example(1, 2)`."


def test_none_is_explained_by_what_the_code_returns():
    question = Exercise(fits, inputs=versions)

    def forgot(build, driver):
        build <= driver  # noqa: B015 - the answer that forgets its return

    assert "Is a `return` missing?" in question.check(forgot).message
    assert (
        "`and` and `or` return one"
        in question.check(lambda build, driver: (build or None) and build <= driver).message
    )


def picky(x):
    """A ValueError for what is negative."""
    if x < 0:
        raise ValueError("negative")
    return x / 2


def test_an_error_that_was_asked_for_is_named():
    question = Exercise(picky, inputs=lambda seed: [(seed,), (-1,), (0,)])
    said = question.check(lambda x: x * 0.5).message
    assert said.startswith(
        "For this input the function must raise a ValueError; yours returned -0.5.\nThe input was `picky(-1)`"
    )

    def other(x):
        return [x / 2][0 if x >= 0 else 1]

    verdict = question.check(other)
    assert verdict.state == "raised" and "IndexError" in verdict.message
    assert "\nFor this input the function must raise a ValueError.\n" in verdict.message


def driven(answer, size, kind):
    return {"half of it": answer(size)}


def test_what_a_probe_had_is_named_by_the_probe_or_described():
    inputs = [(3, "word"), (-4, "word"), (5, "word")]
    question = Exercise(picky, inputs=lambda seed: inputs[::2], probe=driven)
    said = question.check(lambda x: 7).message
    assert said.startswith(
        "Half of it: found 7, expected 1.5.\nThe input that shows it: `size=3, kind='word'`, from"
    )
    worded = Exercise(
        picky, inputs=lambda seed: inputs[::2], probe=driven, describe=lambda size, kind: f"a {kind} of {size}"
    )
    assert worded.check(lambda x: 7).message.endswith("The input: a word of 3 (`ex.picky.example(1, 0)`)")


def pair():
    return (25, -36)


def swapped():
    """You gave them in the other order: first the one of b."""
    return (-36, 25)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            torch.tensor([25.0, -36.0]),
            "That is a tensor of shape (2,), and the answer is 2 numbers in a tuple or list.",
        ),
        (25, "25 is not the answer. That is a number, and the answer is 2 numbers in a tuple or list."),
        ((1, 2, 3), "(1, 2, 3) is not the answer. These are 3 numbers, and the answer has 2 numbers."),
        ((25, 36), "(25, 36) is not the answer. The question was: the two gradients at a = 2."),
        ("25", "That is a string, and the answer is 2 numbers in a tuple or list, without quotes."),
        (float, "the class float is not the answer. The answer is 2 numbers in a tuple or list."),
        (len, "the function len, not called, is not the answer."),
    ],
)
def test_a_wrong_value_is_told_what_was_asked(answer, words):
    said = Exercise(pair, mistakes=(swapped,), asks="the two gradients at a = 2.").check(answer).message
    assert words in said and "-36)" not in said.removeprefix("tensor([ 25., -36.])")


def whole(x):
    """Half of it, in place."""
    x.mul_(0.5)


def test_what_is_altered_in_place_is_named():
    question = Exercise(whole, inputs=lambda seed: [(torch.full((9,), 8.0),), (torch.zeros(0),)], in_place=True)
    said = question.check(lambda x: x.mul_(0.25) is None or None).message
    assert said.startswith("`x` afterwards: wrong at [0]: found 2, expected 4.")


def broken(x):
    """You called a method that does not exist."""
    return x.absent()


def test_an_error_alone_is_a_known_mistake_only_in_its_own_words():
    question = Exercise(picky, inputs=lambda seed: [(seed,), (3,), (0,)], mistakes=(broken,))
    assert question.check(lambda x: x.absent()).state == "known mistake"
    assert question.check(lambda x: x.other).state == "raised"


def late(x):
    """You returned the number itself, and failed at 0."""
    return 1 / (1 / x)


def test_a_mistake_is_known_by_all_inputs_alone():
    question = Exercise(picky, inputs=lambda seed: [(2,), (3,), (0,)], mistakes=(late,))
    assert question.check(lambda x: x / (x / x)).state == "known mistake"
    assert question.check(lambda x: x).state == "wrong"
