"""The device asked for, or a sentence why not; one seed for every generator."""

import random

import numpy
import pytest
import torch

from course_utils.device import free_memory, get_device, synchronize
from course_utils.seed import set_seed


@pytest.mark.parametrize("name", [None, "auto"])
@pytest.mark.parametrize(
    ("cuda", "mps", "best"), [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")]
)
def test_the_best_device_there_is(name, cuda, mps, best, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert get_device(name).type == best


@pytest.mark.parametrize("name", ["cuda", "cuda:1", "mps"])
def test_a_device_that_is_not_there_is_refused_in_words(name, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    with pytest.raises(RuntimeError, match=f"Device '{name}' was asked for.*Set DEVICE = None"):
        get_device(name)


def test_the_cpu_answers_both_questions():
    synchronize(get_device("cpu"))
    assert 0 < free_memory(get_device("cpu")) < 2**50


def test_one_seed_sets_every_generator():
    def draw():
        return random.random(), numpy.random.rand(), torch.rand(1).item()

    set_seed(3)
    first = draw()
    assert draw() != first
    set_seed(3)
    assert draw() == first
    set_seed(2**40 + 3)  # more than NumPy's 32 bits
    assert draw() != first
