"""The models of an all-reduce over nodes, against sums by hand and against the figures of NCCL's own formula."""

import pytest

from course_utils.chapters.allreduce.cost_model import PUBLISHED, WAYS, Link, nccl, predict, textbook

INSIDE, BETWEEN = Link(1.0, 0.1), Link(10.0, 1.0)


@pytest.mark.parametrize(
    ("way", "seconds"),
    [  # four nodes of two GPUs, 80 bytes; two cards a node carry half a second a byte
        ("ring", (14 - 8) * 1 + 8 * 10 + 2 * 7 / 8 * 80 * 0.5),
        ("tree", 2 * (1 * 1 + 2 * 10) + 2 * 80 * (0.1 + 2 * 0.5)),
        ("pipelined tree", 2 * (1 * 1 + 2 * 10) + 2 * 80 * 0.5),
        ("hierarchical", (2 + 8) + (60 + 60)),
    ],
)
def test_each_hop_is_charged_its_own_link(way, seconds):
    assert textbook(way, INSIDE, BETWEEN, size=80, world_size=8, per_node=2) == pytest.approx(seconds)


def test_on_one_node_no_way_is_charged_the_network():
    ring = predict(INSIDE, "ring", size=80, world_size=8)
    for way in ("ring", "hierarchical"):
        assert textbook(way, INSIDE, BETWEEN, size=80, world_size=8) == pytest.approx(ring)
    for way in WAYS:
        assert textbook(way, INSIDE, Link(1e9, 1e9), size=80, world_size=8) < 1e3


def test_nccls_formula_by_hand():
    found = nccl("ring", size=100e6, world_size=16_384, bandwidth=400e9)
    assert found == pytest.approx(0.155, rel=0.01)  # nearly all of it 28,670 hops in a node, 4,096 between nodes
    found = nccl("tree", size=100e6, world_size=16_384, bandwidth=400e9)
    assert found == pytest.approx(2 * (7 + 11) * 28e-6 + 200e6 / 368e9)
    assert nccl("ring", size=0, world_size=8, bandwidth=400e9) == pytest.approx(8.4e-6 + 14 * 3.4e-6)


@pytest.mark.parametrize("size", [1e5, 1e8])
def test_our_ring_is_nccls_but_for_the_start(size):
    ours = textbook("ring", *PUBLISHED.values(), size=size, world_size=256)
    assert ours == pytest.approx(nccl("ring", size=size, world_size=256, bandwidth=18 * 20.6e9), rel=0.02)


def test_what_is_not_known_is_refused():
    with pytest.raises(ValueError, match=r"'star'.*expected one of ring"):
        textbook("star", INSIDE, BETWEEN, size=1, world_size=8)
    with pytest.raises(ValueError, match=r"'star'.*expected ring or tree"):
        nccl("star", size=1, world_size=8, bandwidth=1)
    with pytest.raises(ValueError, match="multiple of the 8"):
        textbook("ring", INSIDE, BETWEEN, size=80, world_size=12)


def test_every_published_figure_names_its_source():
    for link in PUBLISHED.values():
        assert min(link.alpha, link.beta) > 0
        assert "NCCL" in link.source
