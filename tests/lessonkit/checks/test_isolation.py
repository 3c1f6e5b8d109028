"""Code of somebody else leaves generators, defaults, filters and printed text as they were."""

import random
import sys
import warnings

import numpy as np
import torch

from lessonkit.checks.isolation import isolated, seed_torch


def drawn():
    return random.random(), np.random.rand(), torch.rand(1).item()


def seed_all():
    random.seed(3), np.random.seed(3), torch.manual_seed(3)


def test_generators_are_seeded_for_the_block_and_go_on_after_it():
    seed_all()
    expected = drawn(), drawn()
    seed_all()
    first = drawn()
    with isolated(5):
        inside = drawn()
    assert (first, drawn()) == expected
    with isolated(5):
        assert drawn() == inside
    with isolated(6):
        assert drawn() != inside


def settings():
    return (
        torch.get_default_dtype(),
        torch.get_num_threads(),
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
        sys.getrecursionlimit(),
        list(warnings.filters),
        sys.stdout,
        sys.stderr,
    )


def test_defaults_are_put_back_also_after_an_error():
    before = settings()
    try:
        with isolated(1) as printed:
            torch.set_default_dtype(torch.float64)
            torch.set_num_threads(torch.get_num_threads() + 1)
            torch.use_deterministic_algorithms(True, warn_only=True)
            sys.setrecursionlimit(5000)
            warnings.simplefilter("error")
            print("said"), print("complained", file=sys.stderr)
            raise KeyError("an error")
    except KeyError:
        pass
    assert settings() == before
    assert printed.text() == "said\ncomplained\n"


def test_what_was_printed_outlives_a_closed_stream():
    with isolated(1) as printed:
        print("before")
        sys.stdout.close()
        print("after")
    assert printed.text() == "before\nafter\n"


def test_the_seed_is_torchs_own():
    with isolated(1):
        torch.manual_seed(11)
        expected = torch.rand(4)
        seed_torch(11)
        assert torch.equal(torch.rand(4), expected)
