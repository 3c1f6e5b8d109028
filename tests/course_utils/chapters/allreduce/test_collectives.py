"""The all-reduces against a float64 sum and against gloo, for any ranks, length, dtype, operation and layout."""

import collective_cases
import pytest
import torch
import torch.distributed as dist

from course_utils.chapters.allreduce.collectives import all_reduce_naive, all_reduce_ring, all_reduce_tree, check
from course_utils.launch import run_ranks


def test_every_way_gives_every_rank_the_same_right_bits():
    count = run_ranks(collective_cases.properties, collective_cases.MOST, 120, timeout=150)[0]
    assert count >= 100  # hypothesis may find a few it drew before


@pytest.mark.parametrize("way", [all_reduce_naive, all_reduce_ring, all_reduce_tree])
@pytest.mark.parametrize(
    ("tensor", "op", "error", "sentence"),
    [
        (
            torch.ones(3),
            "avg",
            ValueError,
            "op='avg' is not known here: choose one of dist.ReduceOp.SUM, .AVG, .MAX",
        ),
        (torch.ones(3), dist.ReduceOp.MIN, ValueError, "MIN.* is not known here"),
        (
            torch.ones(3, device="meta"),
            dist.ReduceOp.SUM,
            ValueError,
            "the tensor is on meta: .* call .cpu\\(\\) first",
        ),
        (
            torch.ones(3, dtype=torch.bool),
            dist.ReduceOp.MAX,
            TypeError,
            "a tensor of torch.bool is not reduced here: convert it",
        ),
        (
            torch.ones(3, dtype=torch.int64),
            dist.ReduceOp.AVG,
            TypeError,
            "the mean of torch.int64 is no whole number",
        ),
        (torch.ones(1).expand(4), dist.ReduceOp.SUM, ValueError, "several elements share one place, clone it"),
    ],
)
def test_what_cannot_be_reduced_is_refused_before_anything_is_sent(way, tensor, op, error, sentence):
    with pytest.raises(error, match=sentence):
        way(tensor, op=op)


def test_a_tensor_with_one_element_may_have_any_stride():
    check(torch.ones(1).expand(1), dist.ReduceOp.SUM)
    check(torch.ones(()), dist.ReduceOp.AVG)


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda found: {**found, "naive": b"\0\0\0\0"}, "other bits than rank 0"),
        (lambda found: {**found, "naive": "wrote beside the tensor"}, "wrote beside"),
    ],
)
def test_the_judge_sees_a_rank_that_differs(spoil, complaint):
    case = {
        "dtype": "float32",
        "op": "sum",
        "layout": "row",
        "special": False,
        "seed": 3,
        "world_size": 2,
        "length": 1,
    }
    right = {"naive": collective_cases.bits(sum(collective_cases.values_of(case, rank) for rank in range(2)))}
    collective_cases.judge(case, [right, right])
    with pytest.raises(AssertionError, match=complaint):
        collective_cases.judge(case, [right, spoil(right)])


def test_the_judge_sees_a_sum_that_is_wrong_at_all_ranks():
    case = {
        "dtype": "int64",
        "op": "sum",
        "layout": "row",
        "special": False,
        "seed": 3,
        "world_size": 2,
        "length": 1,
    }
    wrong = {"naive": collective_cases.bits(collective_cases.values_of(case, 0))}
    with pytest.raises(AssertionError, match="naive"):
        collective_cases.judge(case, [wrong, wrong])
