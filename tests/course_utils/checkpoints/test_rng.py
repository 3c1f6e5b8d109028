import random
import sys

import numpy
import pytest
import torch

from course_utils.checkpoints import rng
from course_utils.seed import set_seed


def drawn():
    """Numbers from all generators, NumPy's second normal of a pair and torch's cached one among them."""
    return [random.random(), random.gauss(0, 1), numpy.random.rand(), numpy.random.randn(), torch.rand(3).tolist()]


def test_what_is_drawn_after_restoring_is_what_was_drawn_after_capturing(tmp_path):
    set_seed(3)
    drawn()
    torch.save(rng.capture(), tmp_path / "rng.pt")
    expected = [drawn(), drawn()]
    set_seed(4)
    assert rng.restore(torch.load(tmp_path / "rng.pt", weights_only=True)) == []
    assert [drawn(), drawn()] == expected


def test_capturing_draws_nothing():
    set_seed(3)
    expected = drawn()
    set_seed(3)
    rng.capture()
    assert drawn() == expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"python": (3, (1, 2), None)},
        {"python": "no state"},
        {"torch": torch.zeros(3, dtype=torch.uint8)},
        {"numpy": {"bit_generator": "MT19937", "state": {"key": [1, 2], "pos": 0}, "has_gauss": 0, "gauss": 0.0}},
        {"numpy": {}},
    ],
)
def test_states_that_are_none_are_refused_before_anything_is_set(wrong):
    set_seed(5)
    expected = drawn()
    set_seed(5)
    with pytest.raises(ValueError, match="not the states of random generators"):
        rng.restore(rng.capture() | wrong)
    assert drawn() == expected


def devices(monkeypatch, kind, *states):
    """Pretends that this machine has such devices; returns what is set on them."""
    was_set = []
    monkeypatch.setattr(rng, "_devices", lambda: (kind, [torch.tensor(state) for state in states]))
    monkeypatch.setattr(
        rng, "_set_device", lambda kind, index, state: was_set.append((kind, index, state.tolist()))
    )
    return was_set


def test_each_device_gets_its_state_back(monkeypatch):
    was_set = devices(monkeypatch, "cuda", [1, 1], [2, 2])
    states = rng.capture()
    assert rng.restore(states) == []
    assert was_set == [("cuda", 0, [1, 1]), ("cuda", 1, [2, 2])]


@pytest.mark.parametrize(
    ("kind", "here", "words"),
    [
        (None, [], "saved with 2 × cuda, here none"),
        ("cuda", [[1, 1]], "saved with 2 × cuda, here 1 × cuda"),
        ("mps", [[1, 1]], "saved with 2 × cuda, here 1 × mps"),
    ],
)
def test_another_number_or_kind_of_devices_is_said_and_the_rest_restored(monkeypatch, kind, here, words):
    devices(monkeypatch, "cuda", [1, 1], [2, 2])
    set_seed(6)
    states = rng.capture()
    expected = drawn()
    was_set = devices(monkeypatch, kind, *here)
    (note,) = rng.restore(states)
    assert words in note
    assert was_set == []
    assert drawn() == expected


def test_devices_whose_state_has_another_size_are_refused(monkeypatch):
    devices(monkeypatch, "cuda", [1, 1])
    states = rng.capture()
    devices(monkeypatch, "cuda", [1, 1, 1])
    with pytest.raises(ValueError, match="cuda devices of another size"):
        rng.restore(states)


def test_without_numpy_torch_is_restored_and_the_lack_is_said(monkeypatch):
    with_numpy = rng.capture()
    monkeypatch.setitem(sys.modules, "numpy", None)  # an import of it fails
    without = rng.capture()
    assert without["numpy"] is None
    assert rng.restore(without) == []
    (note,) = rng.restore(with_numpy)
    assert "NumPy" in note
