"""What is counted equals what theory says, and the schedule shows who could send when."""

import collective_cases
import pytest

from course_utils.chapters.allreduce.traffic import Message, schedule
from course_utils.launch import run_ranks

RANKS, LENGTHS = 4, (0, 1, 3, 7, 12, 120)


@pytest.fixture(scope="module")
def counted():
    return run_ranks(collective_cases.counted, RANKS, LENGTHS, timeout=60)


def of(counted, size, way, length):
    return [counted[rank][size, f"all_reduce_{way}", length] for rank in range(size)]


@pytest.mark.parametrize("size", range(1, RANKS + 1))
@pytest.mark.parametrize("length", LENGTHS)
def test_bytes_and_messages_equal_theory(counted, size, length):
    whole = 4 * length  # bytes of the tensor
    ring, tree, naive = (of(counted, size, way, length) for way in ("ring", "tree", "naive"))
    assert [messages for _, messages, _ in ring] == [2 * (size - 1)] * size
    assert sum(sent for sent, _, _ in ring) == 2 * (size - 1) * whole
    for sent, _, _ in ring:  # 2 (N - 1) / N of the tensor, but for chunks that differ by an element
        assert abs(sent - 2 * (size - 1) / size * whole) <= (0 if length % size == 0 else 2 * 4)
    assert [sent for sent, _, _ in naive] == [(size - 1) * whole, *[whole] * (size - 1)]
    rounds = (size - 1).bit_length()
    assert tree[0][1] == rounds and sum(messages for _, messages, _ in tree) == 2 * (size - 1)
    assert all(sent == messages * whole for sent, messages, _ in tree)


@pytest.mark.parametrize("size", range(1, RANKS + 1))
def test_the_schedule_of_the_ring_is_full_in_every_step(counted, size):
    found = schedule([events for _, _, events in of(counted, size, "ring", 12)])
    chunk = 12 // size
    expected = [
        Message(step, rank, (rank + 1) % size, (rank - step + (step >= size - 1) * size) % size * chunk, chunk)
        for step in range(2 * (size - 1))
        for rank in range(size)
    ]
    assert found == expected


def test_steps_of_the_tree_and_of_the_way_over_rank_0(counted):
    tree = schedule([events for _, _, events in of(counted, 4, "tree", 7)])
    assert [(m.step, m.source, m.target) for m in tree] == [
        (0, 1, 0), (0, 3, 2), (1, 2, 0), (2, 0, 2), (3, 0, 1), (3, 2, 3),
    ]  # fmt: skip
    naive = schedule([events for _, _, events in of(counted, 4, "naive", 7)])
    assert [m.step for m in naive] == list(range(6))


def test_ranks_given_by_position_are_counted_too(counted):
    assert [rank["positional"] for rank in counted[:2]] == [
        (12, 1, [("send", 1, 1, 3)]),
        (0, 0, [("recv", 0, 0, 3)]),
    ]


def test_a_message_that_nobody_receives_is_refused():
    with pytest.raises(ValueError, match="without a receiver: \\['0 to 1'\\]; waited for in vain: none"):
        schedule([[("send", 1, 0, 5)], []])
    with pytest.raises(ValueError, match="without a receiver: none; waited for in vain: \\['1 to 0'\\]"):
        schedule([[("recv", 1, 0, 5)], []])
