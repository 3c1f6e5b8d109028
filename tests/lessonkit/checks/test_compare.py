"""The first difference in words: PyTorch's own tolerances, an explicit 0, numbers, containers, what refuses."""

import math
import re

import numpy as np
import pytest
import torch

from lessonkit.checks import compare
from lessonkit.checks.compare import difference
from lessonkit.checks.outcomes import observe

NUMBERS = (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128)


def test_the_default_tolerances_are_those_that_torch_documents():
    rows = re.findall(
        r"~torch\.(\w+)`\s*\|\s*``([\d.e-]+)``\s*\|\s*``([\d.e-]+)``", torch.testing.assert_close.__doc__
    )
    documented = {getattr(torch, name): (float(rtol), float(atol)) for name, rtol, atol in rows}
    floating = {name: pair for name, pair in documented.items() if name.is_floating_point or name.is_complex}
    assert set(NUMBERS) <= set(floating)
    assert dict(compare._TOLERANCES) == floating


@pytest.mark.parametrize("dtype", NUMBERS, ids=str)
@pytest.mark.parametrize("expected", [0.0, 1.0, -300.0])
def test_a_tensor_passes_where_torch_testing_lets_it_pass(dtype, expected):
    rtol, atol = compare._TOLERANCES[dtype]
    wanted, said = torch.tensor([expected, 1.0], dtype=dtype), set()
    for part in (0, 0.2, 0.5, 0.9, 1.1, 2, 10, 1000):
        found = wanted + torch.tensor([part * (atol + rtol * abs(expected)), 0], dtype=dtype)
        try:
            torch.testing.assert_close(found, wanted)
        except AssertionError:
            said.add("apart")
            assert difference(found, wanted).startswith(("Wrong at [0]: found", "Every element"))
        else:
            said.add("close")
            assert difference(found, wanted) is None
    assert said == {"apart", "close"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1.0, 1.0 + 1e-12),
        (0.0, 1e-300),
        (1j, 1j + 1e-12),
        (torch.tensor(0.0), torch.tensor(1e-30)),
        (torch.tensor([1.0], dtype=torch.float64), torch.tensor([1.0 + 1e-12], dtype=torch.float64)),
        ([0.0], [1e-10]),
        ({"lr": 0.1}, {"lr": 0.1 + 1e-12}),
    ],
)
def test_a_tolerance_of_zero_tolerates_nothing(one, other):
    assert difference(other, one) is None
    assert difference(other, one, rtol=0, atol=0) is not None
    assert difference(one, one, rtol=0, atol=0) is None


def test_one_tolerance_of_zero_leaves_the_other_as_it_is():
    assert difference(1.0 + 1e-7, 1.0, atol=0) is None and difference(1e-10, 0.0, atol=0) is not None
    assert difference(1e-10, 0.0, rtol=0) is None and difference(1.0 + 1e-7, 1.0, rtol=0) is not None
    assert difference(1.05, 1.0, rtol=0.1) is None and difference(1.05, 1.0, atol=0.1) is None


def test_an_argument_that_was_altered_by_a_hair_is_altered():
    def push(settings):
        settings["lr"] += 1e-12

    (outcome,), _ = observe(push, lambda seed: [({"lr": 0.1},)], seed=1)
    assert [(change.argument, change.kind) for change in outcome.altered] == [(0, "values")]
    (outcome,), _ = observe(
        len, lambda seed: [({"lr": 0.1, "loss": math.nan, "best": math.inf, "root": 1j},)], seed=1
    )
    assert not outcome.altered and outcome.value == 4


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (math.nan, math.nan),
        (math.inf, math.inf),
        (complex(math.nan, 1), complex(math.nan, 1)),
        (torch.tensor([math.nan, math.inf]), torch.tensor([math.nan, math.inf])),
        (torch.tensor([True, False]), torch.tensor([True, False])),
        (torch.tensor(3.0), 3),
        (torch.tensor([0.5]), 0.5),
        (2.0, 2),
        (np.ones(2, dtype=np.float32), torch.ones(2)),
        ([1, 2], (1, 2)),
        ({"a": [torch.ones(1)]}, {"a": (torch.ones(1),)}),
        ("word", "word"),
        (torch.float16, torch.float16),
        ({1, 2}, {2, 1}),
        (None, None),
    ],
)
def test_what_is_alike_has_no_difference(found, expected):
    assert difference(found, expected) is None


@pytest.mark.parametrize(
    ("found", "expected", "words"),
    [
        (None, 1, "Found None, expected 1 (int)."),
        ([None], [1], "Found [None], expected [1]."),
        (3, 4, "Found 3, expected 4."),
        (0.1, 0.2, "Found 0.1, expected 0.2."),
        (1j, 2j, "Found 1j, expected 2j."),
        (math.inf, -math.inf, "Found inf, expected -inf."),
        (True, 1, "Found True (bool), expected 1 (int)."),
        (1, True, "Found 1 (int), expected True (bool)."),
        ("3", 3, "Found '3' (str), expected 3 (int)."),
        ((1, 2), (1, 2, 3), "Found (1, 2), expected (1, 2, 3)."),
        ((1, 5), (1, 2), "Found (1, 5), expected (1, 2)."),
        (5, [5], "Found 5 (int), expected a list of 1."),
        ({"a": 1}, {"b": 1}, "The key 'b' is missing and the key 'a' is unexpected; the key 'b' was expected."),
        ({}, {"a": 1, "b": 1}, "The keys 'a' and 'b' are missing; the keys 'a', 'b' were expected."),
        ({"a": 1, "b": 1}, {}, "The keys 'a' and 'b' are unexpected; an empty dict was expected."),
        ({}, {"x" * 99: 1}, f"The key '{'x' * 99}' is missing; one key was expected."),
        ({}, dict.fromkeys(range(99)), "The keys 0, 1, 2, 3, 4 and 94 more are missing; 99 keys were expected."),
        ({"a": 1}, {"a": 2}, "At ['a']: found 1, expected 2."),
        (7, {"a": 2}, "Found 7 (int), expected a dict of 1."),
        (torch.ones(2, 3), torch.ones(3, 2), "Shape (2, 3), expected (3, 2)."),
        (torch.ones(2), torch.ones(2, dtype=torch.int64), "dtype float32, expected int64."),
        (torch.tensor(2), torch.tensor(3), "Wrong value: found 2, expected 3."),
        (torch.zeros(3), torch.tensor([0.0, 2, 1]), "Every element is 0; at [1] found 0, expected 2."),
        (
            torch.tensor([[1, 2], [3, 4]]),
            torch.tensor([[1, 0], [3, 0]]),
            "Wrong at [0, 1]: found 2, expected 0. (2 of ",
        ),
        (torch.tensor([math.nan, 1]), torch.tensor([0.0, 1]), "Wrong at [0]: found nan, expected 0."),
        (torch.tensor(1j), torch.tensor(2j), "Wrong value: found 1j, expected 2j."),
        (torch.ones(2), 1, "Found a float32 tensor of shape (2,), expected 1 (int)."),
        ("x" * 99, 1, "Found a str, expected 1 (int)."),
    ],
)
def test_the_first_difference_is_said(found, expected, words):
    assert difference(found, expected).startswith(words)


def test_a_probe_that_gives_up_early_is_heard_before_the_keys_that_it_leaves_out():
    full = {"what it returned": "a list", "its length": 2, "the last": 5}
    early = {"what it returned": "a dict, no list"}
    said = difference(early, full, report=True)
    assert said == "What it returned: found “a dict, no list”, expected “a list”."
    assert "missing" in difference({"what it returned": "a list", "the last": 5}, full, report=True)
    assert "unexpected" in difference(full | {"more": 1}, full, report=True)
    assert "missing" in difference(early, full)  # of an answer's own dict, the keys come first


class Stubborn:
    def __eq__(self, other):
        raise ValueError("compare me not")

    __hash__ = None


def test_what_cannot_be_compared_is_a_difference():
    one, other = Stubborn(), Stubborn()
    assert difference(one, other).startswith("Found Stubborn, which cannot be compared with")
    assert difference(one, other).endswith("compare me not")
    assert "cannot be compared with 0.5" in difference(1j, 0.5)
