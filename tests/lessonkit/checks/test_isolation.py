"""Code of somebody else leaves generators, defaults, filters and printed text as they were."""

import random
import sys
import warnings

import numpy as np
import pytest
import torch

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.isolation import Refused, fence, isolated, seed_torch


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


def by_input():
    return input("How many? ")


def by_input_that_it_would_catch():
    try:
        return input()
    except EOFError:
        return "0"


def by_a_password():
    import getpass

    return getpass.getpass()


def by_a_debugger():
    import pdb

    pdb.Pdb(nosigint=True).set_trace()
    return 1


@pytest.mark.parametrize("ask", [by_input, by_input_that_it_would_catch, by_a_password, by_a_debugger])
def test_an_answer_that_waits_for_somebody_to_type_raises_at_once_and_says_why(ask, monkeypatch):
    """A kernel that is interrupted while it waits runs no further cell."""
    import builtins
    import getpass

    asked = []
    monkeypatch.setattr(builtins, "input", lambda *words: asked.append(words))
    monkeypatch.setattr(getpass, "getpass", lambda *words: asked.append(words))
    before = builtins.input, getpass.getpass
    with pytest.raises(Refused, match="waits until somebody types, which nobody can do during a check"), fence():
        ask()
    assert asked == [] and (builtins.input, getpass.getpass) == before


def test_the_verdict_on_an_answer_that_asks_quotes_its_line():
    def double(x):
        """Twice x."""
        return 2 * x

    def answer(x):
        return int(input("x? ")) * 2

    asked = Exercise(double, inputs=lambda seed: [(1,), (2,)])
    said = asked.check(answer)
    assert said.state == "raised" and '`return int(input("x? ")) * 2`' in said.message
    assert "nobody can do during a check" in said.message
    assert asked.check(lambda x: x + x).passed
