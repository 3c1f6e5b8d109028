"""The alpha-beta model: its terms against counting by hand, its fit against planted costs."""

import random

import pytest

from course_utils.chapters.allreduce import cost_model
from course_utils.chapters.allreduce.cost_model import Link, Measured

SIZES = [4**power for power in range(6, 15)]  # 4 KiB to 256 MiB


def planted(link, *, noise=0.0, algorithms=("naive", "ring", "tree"), world_sizes=(2, 4), seed=0):
    chance = random.Random(seed)
    return [
        Measured(
            name, n, size, cost_model.predict(link, name, size=size, world_size=n) * (1 + chance.gauss(0, noise))
        )
        for name in algorithms
        for n in world_sizes
        for size in SIZES
    ]


@pytest.mark.parametrize(
    ("algorithm", "world_size", "messages", "moved"),
    [
        ("naive", 4, 6, 6000),
        ("ring", 4, 6, 1500),
        ("tree", 4, 4, 4000),
        ("tree", 5, 6, 6000),  # three levels
        ("ring", 2, 2, 1000),
        ("naive", 1, 0, 0),
        ("ring", 1, 0, 0),
        ("tree", 1, 0, 0),
    ],
)
def test_messages_and_bytes_on_the_longest_path(algorithm, world_size, messages, moved):
    assert cost_model.terms(algorithm, 1000, world_size=world_size) == (messages, moved)


def test_an_unknown_algorithm_is_named():
    with pytest.raises(ValueError, match=r"'star'.*expected"):
        cost_model.terms("star", 1, world_size=2)


def test_a_prediction_by_hand():
    link = Link(alpha=1e-3, beta=1e-6)
    assert cost_model.predict(link, "ring", size=4000, world_size=4) == pytest.approx(6e-3 + 6e-3)


@pytest.mark.parametrize("world_size", [4, 8, 100, 16384])
def test_below_the_crossover_the_tree_wins_and_above_it_the_ring(world_size):
    link = Link(14e-6, 1 / 50e9)
    size = cost_model.crossover(link, world_size)
    for factor, tree_wins in ((0.99, True), (1.01, False)):
        ring, tree = (
            cost_model.predict(link, name, size=size * factor, world_size=world_size) for name in ("ring", "tree")
        )
        assert (tree < ring) == tree_wins


@pytest.mark.parametrize("world_size", [1, 2])
def test_two_ranks_have_no_crossover(world_size):
    assert cost_model.crossover(Link(14e-6, 1 / 50e9), world_size) == 0


def test_the_fit_finds_planted_costs():
    link = cost_model.fit(planted(Link(5e-5, 2e-10)))
    assert (link.alpha, link.beta) == (pytest.approx(5e-5, rel=1e-6), pytest.approx(2e-10, rel=1e-6))


def test_the_fit_weighs_small_sizes_as_much_as_large_ones():
    link = cost_model.fit(planted(Link(5e-5, 2e-10), noise=0.1))
    assert link.alpha == pytest.approx(5e-5, rel=0.15)
    assert link.beta == pytest.approx(2e-10, rel=0.15)


@pytest.mark.parametrize(("true", "kept"), [(Link(1e-4, 0.0), "alpha"), (Link(0.0, 1e-9), "beta")])
def test_no_cost_is_negative(true, kept):
    for seed in range(20):
        link = cost_model.fit(planted(true, noise=0.2, seed=seed))
        assert min(link.alpha, link.beta) >= 0
        assert getattr(link, kept) == pytest.approx(getattr(true, kept), rel=0.3)


def test_times_that_fall_with_size_leave_one_cost():
    falling = [Measured("ring", 2, 10**power, 10.0 - power) for power in range(3, 9)]
    link = cost_model.fit(falling)
    assert link.beta == 0
    assert link.alpha > 0


def test_one_measurement_is_not_enough():
    with pytest.raises(ValueError, match="Found 1 measurements"):
        cost_model.fit([Measured("ring", 2, 1000, 1.0)])


def test_a_third_is_fitted_and_the_rest_unseen():
    rows = planted(Link(5e-5, 2e-10), algorithms=("ring",), world_sizes=(4,))
    seen, rest = cost_model.split(rows)
    assert len(seen) == 3
    assert sorted([*seen, *rest], key=lambda m: m.size) == rows
    assert [m.size for m in seen] == SIZES[1::3]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 8])
def test_there_are_always_two_sizes_to_fit_on(count):
    rows = [Measured("ring", 2, size, 1.0) for size in SIZES[:count]]
    seen, rest = cost_model.split(rows)
    assert len(seen) >= 2
    assert len(rest) == count - len(seen)


def test_the_error_counts_only_what_was_not_fitted():
    rows = planted(Link(5e-5, 2e-10))
    links, error = cost_model.fit_each(rows)
    assert len(links) == 6
    assert error < 1e-6
    slow = [Measured(m.algorithm, m.world_size, m.size, 2 * m.seconds) for m in rows]
    assert cost_model.errors(links["ring", 4], [m for m in slow if (m.algorithm, m.world_size) == ("ring", 4)]) == (
        pytest.approx([0.5] * len(SIZES))
    )
    seen, rest = cost_model.split([m for m in rows if (m.algorithm, m.world_size) == ("ring", 4)])
    doubled = [Measured(m.algorithm, m.world_size, m.size, 2 * m.seconds) for m in rest]
    assert cost_model.fit_each([*seen, *doubled])[1] == pytest.approx(0.5)
