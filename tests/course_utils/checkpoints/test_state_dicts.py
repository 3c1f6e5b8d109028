import io
from collections import Counter, OrderedDict, defaultdict, namedtuple

import numpy
import pytest
import torch

from course_utils.checkpoints.state_dicts import plain_copy, tensors


def opened(value):
    """What safe loading makes of a value."""
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file, weights_only=True)


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, 2.5, (True, None)], 3: {"x", "y"}},
        OrderedDict(b=1, a=2),
        Counter("aab"),
        [torch.float32, torch.device("cpu"), torch.Size([2, 3])],
        {"big": 2**80, "c": 1j, "bytes": b"\0"},
    ],
)
def test_plain_values_come_back_of_their_own_type(value):
    copy = plain_copy(value, "state")
    assert opened(copy) == value
    assert type(copy) is type(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (numpy.float64(0.5), 0.5),
        (numpy.float32(0.5), 0.5),
        (numpy.int64(3), 3),
        (numpy.bool_(True), True),
        (numpy.str_("x"), "x"),
        (torch.__version__, str(torch.__version__)),
    ],
)
def test_relatives_of_pythons_values_become_pythons(value, expected):
    assert opened(plain_copy([value], "state")) == [expected]
    assert type(plain_copy(value, "state")) is type(expected)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"a": [0, numpy.zeros(2)]}, r"state\['a'\]\[1\] is a numpy.ndarray"),
        ({"a": object()}, r"state\['a'\] is a builtins.object"),
        (defaultdict(int), "state is a collections.defaultdict"),
        (namedtuple("Point", "x y")(1, 2), "state is a test_state_dicts.Point"),
        ([lambda: 0], r"state\[0\] is a builtins.function"),
        (range(3), "state is a builtins.range"),
        (torch.zeros(2, device="meta"), "device 'meta': it has no values"),
    ],
)
def test_what_safe_loading_refuses_is_refused_before_it_is_saved(value, words):
    with pytest.raises(TypeError, match=words):
        plain_copy(value, "state")


def test_a_models_versions_of_layers_stay():
    state = torch.nn.BatchNorm1d(2).state_dict()
    assert opened(plain_copy(state, "model"))._metadata == state._metadata


def test_tied_weights_are_saved_once_and_a_view_without_its_storage():
    big = torch.zeros(100_000)
    state = plain_copy({"a": big[:10], "tied": torch.ones(5), "sparse": torch.eye(3).to_sparse()}, "state")
    assert state["a"].untyped_storage().nbytes() == 40
    weight = torch.nn.Parameter(torch.rand(4, 3).t())
    state = plain_copy({"one": weight, "other": weight.detach()}, "state", copy=True)
    assert state["one"].data_ptr() == state["other"].data_ptr()
    assert torch.equal(state["one"], weight)
    assert not state["one"].requires_grad


def test_tensors_that_a_state_dict_makes_on_the_way_are_not_confused():
    """Freed ones give their address to the next; each must keep its own values."""

    class Fleeting:
        def __init__(self, value):
            self.value = value

        def state_dict(self):
            return {"x": torch.full((64,), self.value)}

    seen = {}
    states = [plain_copy(Fleeting(float(i)).state_dict(), "state", copy=True, seen=seen) for i in range(50)]
    assert [state["x"][0].item() for state in states] == [float(i) for i in range(50)]


def test_a_copy_does_not_follow_its_original():
    weight = torch.zeros(3)
    state = plain_copy({"w": weight}, "state", copy=True)
    weight += 1
    assert state["w"].tolist() == [0, 0, 0]


def test_places_of_tensors():
    one = torch.zeros(1)
    assert tensors({"a": one, "b": {"c": [3, one]}, 0: (one,)}) == {"a": one, "b.c.1": one, "0.0": one}
