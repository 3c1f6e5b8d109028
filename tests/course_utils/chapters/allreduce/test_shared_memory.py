"""The segment has no name and ends with its ranks; the barrier names who is late; misuse is met with words."""

import sys
import threading

import collective_cases
import pytest

from course_utils.chapters.allreduce.barrier import Barrier
from course_utils.launch import run_ranks


@pytest.fixture(scope="module")
def seen():
    return run_ranks(collective_cases.lifetime, 2, timeout=60)


def test_the_memory_never_has_a_name_and_is_gone_with_the_last_tensor(seen):
    for rank in seen:
        assert rank["new names"] == []
        assert rank["mapped at the end"] == []
        assert rank["kept"] == 75  # a tensor in it outlives `close`
    if sys.platform == "linux":  # elsewhere there is no map of a process's memory to look at
        assert all("memfd:all-reduce (deleted)" in line for rank in seen for line in rank["mapped"])
        assert all(rank["mapped"] for rank in seen)


def test_tensors_made_by_empty_lie_in_the_segment_and_are_reduced_there(seen):
    for rank in seen:
        shape, dtype, *offsets = rank["shapes"]
        assert shape == (3, 5) and str(dtype) == "torch.float64" and offsets == [0, 0]
        assert rank["in the segment"] == [1]
        assert "bytes of max_bytes are left, 4194304 are wanted" in rank["full"]


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("shape", "sum of float32 [3] elsewhere", "sum of float32 [4] elsewhere"),
        ("dtype", "sum of float32 [3] elsewhere", "sum of float64 [3] elsewhere"),
        ("op", "sum of float32 [3] elsewhere", "max of float32 [3] elsewhere"),
        ("place", "sum of float32 [3, 5] elsewhere", "sum of float32 [3, 5] in the segment at 0"),
    ],
)
def test_ranks_that_hand_in_different_things_are_all_told_what(seen, name, first, second):
    for rank in seen:
        assert "hand different things to all-reduce" in rank[name]
        assert f"rank 0: {first}; rank 1: {second}" in rank[name]
        assert rank["afterwards"] == [2.0] * 7  # the next call was sound


def test_a_parameter_can_be_reduced(seen):
    assert [rank["parameter"] for rank in seen] == [[2, 2]] * 2


def test_a_rank_that_does_not_come_is_named_and_the_object_is_of_no_more_use(seen):
    assert "rank 0 waited 1.5 s in all-reduce" in seen[0]["late"] and "rank 1 of 2 did not come" in seen[0]["late"]
    assert "was broken off and the ranks are out of step: make a new one" in seen[0]["broken"]


def in_threads(ranks, act, timeout):
    """What `act(barrier)` gave or raised at each of some ranks, which are threads here."""
    memory, found = bytearray(Barrier.size(ranks)), [None] * ranks

    def run(rank):
        try:
            found[rank] = act(Barrier(memory, rank=rank, world_size=ranks, timeout=timeout))
        except TimeoutError as error:
            found[rank] = str(error)

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(ranks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return found


@pytest.mark.parametrize("ranks", [1, 2, 5])
def test_nobody_leaves_a_meeting_before_all_have_come(ranks):
    lock, inside, wrong = threading.Lock(), [0], []

    def act(barrier):
        for turn in range(1, 20):
            with lock:
                inside[0] += 1
            barrier.wait("test")
            if inside[0] < turn * ranks:
                wrong.append((barrier.rank, turn, inside[0]))
            barrier.wait("test")
        return "done"

    assert in_threads(ranks, act, timeout=10) == ["done"] * ranks
    assert wrong == []


def test_those_who_did_not_come_are_named():
    found = in_threads(4, lambda barrier: barrier.rank in (1, 3) or barrier.wait("all-reduce 7"), timeout=0.3)
    assert found[1] is True and found[3] is True
    assert "rank 0 waited 0.3 s in all-reduce 7: ranks 1, 3 of 4 did not come" in found[0]
    assert "rank 2 waited" in found[2]
