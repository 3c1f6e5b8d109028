"""What an answer returned is kept as it was, in plain types, past what its class overrides."""

from collections import OrderedDict, namedtuple
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import torch

from lessonkit.checks.compare import difference
from lessonkit.checks.snapshot import Foreign, snapshot


class Words(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class Pairs(dict):
    def __getitem__(self, key):
        return "as you like"

    def items(self):
        return []


def test_a_value_is_read_past_what_its_class_overrides():
    assert type(snapshot(Words("no"))) is str and snapshot(Words("no")) != "yes"
    assert snapshot(Pairs(a=1)) == {"a": 1}
    assert snapshot([True, (1.5, {"a": None}), {2}]) == [True, (1.5, {"a": None}), {2}]
    assert isinstance(snapshot(object()), Foreign) and difference(snapshot(object()), 3) is not None


def test_a_tensor_is_a_copy_that_keeps_its_nature():
    weight = torch.nn.Parameter(torch.ones(2))
    copy = snapshot(weight)
    with torch.no_grad():
        weight.zero_()
    assert type(copy) is torch.Tensor and copy.requires_grad and copy.tolist() == [1, 1]
    assert snapshot(torch.ones(3, dtype=torch.int8)).dtype == torch.int8
    assert snapshot(torch.ones(2, 2).to_sparse()).layout == torch.sparse_coo
    assert snapshot(torch.ones(3).numpy()).tolist() == [1, 1, 1]
    assert snapshot(torch.ones(1).numpy()[0]) == 1.0 and type(snapshot(torch.ones(1).numpy()[0])) is float


@pytest.mark.parametrize(
    "value",
    [
        None,
        ...,
        True,
        3,
        0.5,
        1j,
        "word",
        b"bytes",
        Decimal("0.1"),
        Fraction(1, 3),
        torch.float16,
        torch.device("cpu"),
    ],
)
def test_a_plain_value_is_itself(value):
    assert snapshot(value) is value


def test_a_list_filled_later_or_a_dict_changed_later_does_not_change_the_snapshot():
    rows = [[1, 2], {"best": [3]}]
    kept = snapshot(rows)
    rows.append(4), rows[0].append(5), rows[1]["best"].clear()
    assert kept == [[1, 2], {"best": [3]}]


def test_subclasses_become_what_they_are_a_subclass_of():
    class Level(int):
        def __int__(self):
            return 99

    point = namedtuple("point", "x y")(1, 2)
    assert type(snapshot(Level(3))) is int and snapshot(Level(3)) == 3
    assert type(snapshot(point)) is tuple and snapshot(point) == (1, 2)
    assert type(snapshot(OrderedDict(a=1))) is dict
    assert type(snapshot(np.float64(0.5))) is float
    assert type(snapshot(np.int64(3))) is int


def test_what_no_question_asks_for_stands_for_itself():
    found = snapshot([np.array(["text"]), len])
    assert [repr(one) for one in found] == [
        "an object of class ndarray",
        "the function len, not called,",
    ]
    assert found[0] != snapshot(np.array(["text"]))
