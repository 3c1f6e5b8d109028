"""The device asked for, or a sentence why not; one seed for every generator."""

import random

import numpy
import pytest
import torch

from course_utils.device import device_types, free_memory, freest_cuda, get_device, synchronize
from course_utils.seed import set_seed


@pytest.mark.parametrize("name", [None, "auto"])
@pytest.mark.parametrize(
    ("cuda", "mps", "best"), [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")]
)
def test_the_best_device_there_is(name, cuda, mps, best, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert get_device(name).type == best


def test_the_types_of_device_are_named_best_first(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert device_types() == ["cuda", "cpu"]


@pytest.mark.parametrize("name", ["cuda", "cuda:1", "mps"])
def test_a_device_that_is_not_there_is_refused_in_words(name, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    with pytest.raises(RuntimeError, match=f"Device '{name}' was asked for.*Set DEVICE = None"):
        get_device(name)


def test_the_cpu_answers_both_questions():
    synchronize(get_device("cpu"))
    assert 0 < free_memory(get_device("cpu")) < 2**50


def answers(monkeypatch, *free):
    """Give torch one CUDA device for each entry: its free bytes, or the error it answers with."""

    def mem_get_info(number):
        if isinstance(free[number], Exception):
            raise free[number]
        return free[number], 80

    monkeypatch.setattr(torch.cuda, "device_count", lambda: len(free))
    monkeypatch.setattr(torch.cuda, "mem_get_info", mem_get_info)


@pytest.mark.parametrize(("free", "number"), [((7,), 0), ((3, 9, 5), 1), ((0, 4, 4), 1)])
def test_the_freest_device_and_of_equals_the_first(free, number, monkeypatch):
    answers(monkeypatch, *free)
    assert freest_cuda() == torch.device("cuda", number)


def test_a_gpu_that_has_disappeared_is_left_out_aloud(monkeypatch):
    answers(monkeypatch, 5, RuntimeError("CUDA error: unknown error\nmore"), 6)
    with pytest.warns(UserWarning, match=r"cuda:1 does not answer \(CUDA error: unknown error\)"):
        assert freest_cuda() == torch.device("cuda", 2)


@pytest.mark.parametrize(
    ("free", "why"), [((), "torch sees none"), ((RuntimeError("it fell off the bus"),), "cuda:0 does not answer")]
)
def test_no_gpu_to_choose_is_a_sentence(free, why, monkeypatch):
    answers(monkeypatch, *free)
    with pytest.raises(RuntimeError, match=f"No CUDA device to choose: {why}"):
        freest_cuda()


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
