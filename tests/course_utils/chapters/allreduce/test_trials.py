"""The trials of chapter 11: a wrong way is counted, overlap gains on a link that needs no core."""

import torch
import torch.distributed as dist
from torch import nn

from course_utils.chapters.allreduce import trials
from course_utils.chapters.allreduce.collectives import all_reduce_naive
from course_utils.chapters.allreduce.own_ddp import OwnDDP
from course_utils.chapters.allreduce.shared_memory import SharedMemoryAllReduce
from course_utils.launch import run_ranks


def not_at_rank_one(tensor, *, group=None):
    """All-reduce, after which rank 1 adds something of its own."""
    all_reduce_naive(tensor, group=group)
    if dist.get_rank() == 1:
        tensor += 1000


def test_a_wrong_way_is_counted_and_its_results_differ():
    ways = {"right": all_reduce_naive, "wrong": not_at_rank_one}
    one, other = run_ranks(trials.check_all, 2, ways, SharedMemoryAllReduce)
    assert {found[0] for key, found in [*one.items(), *other.items()] if key[0] != "wrong"} == {0}
    assert other["wrong", 2][0] == (len(trials.LENGTHS) - 1) * len(trials.DTYPES)  # not those without an element
    assert one["wrong", 2][1] != other["wrong", 2][1]
    assert one["right", 2][1] == other["right", 2][1]


def test_each_way_has_a_time_for_each_size():
    found = run_ranks(trials.measure, 2, {"naive": all_reduce_naive}, SharedMemoryAllReduce, [1024, 4096], 1)[0]
    assert set(found) == {
        (name, size) for name in ("gloo", "naive", *trials.SHARED, "copy") for size in (1024, 4096)
    }
    assert all(seconds > 0 for seconds in found.values())


def layers(seed):
    torch.manual_seed(seed)
    return nn.Sequential(*[nn.Linear(512, 512) for _ in range(4)], nn.Linear(512, 10))


def test_overlap_is_worth_something_on_a_link_that_needs_no_core():
    for _ in range(3):  # what it is worth is told by clocks, which other work on the machine moves
        found = run_ranks(trials.watch_overlap, 2, OwnDDP, layers, 0.05)[0]
        late, early = found[False], found[True]
        if early["averaged", None] < late["averaged", None]:
            break
    assert early["averaged", None] < late["averaged", None], "in none of three runs"
    assert late["launched", 0] >= late["backward done", None] > early["launched", 0]
    plain = run_ranks(trials.watch_overlap, 2, OwnDDP, layers, 0)[0]
    assert plain[False]["averaged", None] < late["averaged", None]
