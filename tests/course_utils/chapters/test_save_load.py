"""Chapter 06: the loader goes on where it was left, the measure keeps the model's mode, states are compared."""

import pytest
import torch
from torch import nn

from course_utils.chapters.save_load import Batches, same, val_loss


def batches():
    return Batches(torch.arange(10.0), torch.arange(10), batch_size=3, seed=1)


def rows(loader, epochs=2):
    return [targets.tolist() for _ in range(epochs) for _, targets in loader]


def test_each_epoch_has_all_rows_in_another_order():
    loader = batches()
    first, second = rows(loader, 1), rows(loader, 1)
    assert all(sorted(n for rows_ in epoch for n in rows_) == list(range(10)) for epoch in (first, second))
    assert first != second
    assert loader.state_dict() == {"epoch": 2, "done": 0}


@pytest.mark.parametrize("stop", range(9))
def test_a_new_loader_goes_on_where_the_old_one_was_left(stop):
    whole, loader, before = rows(batches()), batches(), []
    while len(before) < stop:
        for _, targets in loader:
            before.append(targets.tolist())
            if len(before) == stop:
                break
    resumed = batches()
    resumed.load_state_dict(loader.state_dict())
    assert before + rows(resumed)[: len(whole) - stop] == whole


@pytest.mark.parametrize("mode", [True, False])
def test_the_measure_keeps_the_mode(mode):
    model = nn.Sequential(nn.Dropout(0.5), nn.Linear(2, 3)).train(mode)
    data = {"val_images": torch.ones(4, 2), "val_targets": torch.zeros(4, dtype=torch.int64)}
    assert val_loss(model, data) == val_loss(model, data)
    assert model.training is mode


def test_states_are_equal_to_the_last_bit_or_not():
    state = {"a": torch.ones(2), "b": [1, (2.0, "x")], "c": {"d": None}}
    assert same(state, {"a": torch.ones(2), "b": [1, (2.0, "x")], "c": {"d": None}})
    assert not same(state, state | {"a": torch.tensor([1.0, 1.0000001])})
    assert not same(state, state | {"a": torch.ones(2, dtype=torch.float64)})
    assert not same(state, state | {"b": [1]})
    assert not same(state, state | {"e": 1})
    assert not same({"a": torch.ones(1)}, {"a": 1})
