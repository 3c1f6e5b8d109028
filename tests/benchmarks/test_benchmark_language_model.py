"""The language model's benchmark: nanoGPT's net is what its README says, and no way of training looks ahead."""

import sys

import pytest
import torch

from course_utils import PROJECT


@pytest.fixture(scope="module")
def benchmark():
    sys.path.insert(0, str(PROJECT / "benchmarks"))
    try:
        import language_model
    finally:
        sys.path.remove(str(PROJECT / "benchmarks"))
    return language_model


def test_nanogpts_net_has_its_size_and_begins_with_a_guess(benchmark):
    torch.manual_seed(0)
    model = benchmark.NanoGPT(65)
    assert sum(p.numel() for p in model.parameters()) == 65 * 128 + 64 * 128 + 4 * (12 * 128**2 + 2 * 128) + 128
    tokens, targets = torch.randint(65, (2, 2, 64))  # drawn apart: a tied table would know a letter from itself
    loss = torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())
    assert loss.item() == pytest.approx(4.17, abs=0.1)


def test_no_letter_sees_a_later_one(benchmark):
    model = benchmark.NanoGPT(11, context=8, width=16, num_heads=2, depth=2).eval()
    tokens = torch.randint(11, (1, 8))
    changed = tokens.clone()
    changed[0, 5:] = (changed[0, 5:] + 1) % 11
    assert torch.equal(model(tokens)[:, :5], model(changed)[:, :5])


def test_training_ends_and_goes_down(benchmark):
    torch.manual_seed(0)
    model, tokens = benchmark.NanoGPT(5, context=8, width=16, num_heads=2, depth=1), torch.arange(400) % 5
    # Two seconds, because in half a second a busy machine takes too few steps for the loss to move.
    assert 11 <= benchmark.train_nanogpt(model, tokens, seconds=2, seed=0) <= 8000
    rows = tokens[:9][None]
    loss = torch.nn.functional.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
    assert loss.item() < 1.6


def test_ratios_are_of_neighbours(benchmark, monkeypatch):
    seconds = {"slow": 3.0, "fast": 1.5}
    monkeypatch.setattr(benchmark, "seconds_of", lambda way: seconds[way])
    assert benchmark.ratios("slow", "fast", 3) == [2.0, 2.0, 2.0]
