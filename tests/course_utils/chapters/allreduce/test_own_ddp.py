"""Our DDP against torch's, on two and three ranks: equal gradients, launches before the end, refusals in words."""

import copy

import pytest
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from course_utils.chapters.allreduce.own_ddp import OwnDDP, in_buckets
from course_utils.launch import RankError, run_ranks


class Model(nn.Module):
    """A buffer, a layer used twice, a frozen one, and a branch that may be left out."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(
            nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(288, 16)
        )
        self.again = nn.Linear(16, 16)
        self.frozen = nn.Linear(16, 16).requires_grad_(False)
        self.last, self.branch = nn.Linear(16, 3), nn.Linear(16, 3)

    def forward(self, x, branch=True):
        hidden = torch.relu(self.first(x))
        hidden = self.frozen(self.again(torch.relu(self.again(hidden))))
        return self.last(hidden) + (self.branch(hidden) if branch else 0)


def gradients(model):
    return [p.grad.clone() for p in model.parameters() if p.requires_grad]


def both(rank):
    """What our wrapper and torch's do with the same model and batches; everything the test asks for."""
    torch.manual_seed(rank)  # different weights: both wrappers must send rank 0's
    model, batches = Model().to(memory_format=torch.channels_last), torch.randn(3, 4, 1, 8, 8)
    trace, found = [], {}
    own = OwnDDP(copy.deepcopy(model), bucket_cap_mb=700 / 2**20, trace=trace)
    theirs = DistributedDataParallel(copy.deepcopy(model), bucket_cap_mb=700 / 2**20)
    found["weights"] = [p.detach().clone() for p in own.parameters()]
    found["buffers"] = torch.equal(own.module.first[1].running_mean, theirs.module.first[1].running_mean)
    for wrapped in (own, theirs):
        wrapped(batches[0]).square().sum().backward()
    found["gradients"] = gradients(own), gradients(theirs)
    late_trace = []
    late = OwnDDP(copy.deepcopy(model), bucket_cap_mb=700 / 2**20, overlap=False, trace=late_trace)
    late(batches[0]).square().sum().backward()
    found["late"], found["late trace"] = gradients(late), [event for event, *_ in late_trace]
    found["trace"] = [(event, bucket) for event, bucket, _ in trace]
    for wrapped in (own, theirs):
        wrapped.zero_grad()
        with wrapped.no_sync():
            wrapped(batches[1]).square().sum().backward()
            found.setdefault("alone", []).append(gradients(wrapped))
        wrapped(batches[2]).square().sum().backward()
    found["accumulated"] = gradients(own), gradients(theirs)
    own.zero_grad()
    try:
        own(batches[0], branch=False).sum().backward()
    except RuntimeError as error:
        found["refusal"] = str(error)
    own.zero_grad()
    theirs.zero_grad()
    for wrapped in (own, theirs):  # after a refusal it goes on as if nothing had been
        wrapped(batches[0]).square().sum().backward()
    found["after"] = gradients(own), gradients(theirs)
    return found


@pytest.fixture(scope="module", params=[2, 3])
def ranks(request):
    return run_ranks(both, request.param, timeout=100)


def assert_same(pair, *, exact):
    for one, other in zip(*pair, strict=True):
        torch.testing.assert_close(one, other, rtol=0 if exact else 1e-6, atol=0 if exact else 1e-6)


@pytest.mark.parametrize("key", ["gradients", "accumulated", "after"])
def test_the_gradients_are_those_of_torchs_ddp(ranks, key):
    for found in ranks:
        assert_same(found[key], exact=False)


def test_all_ranks_hold_the_same_bits(ranks):
    for found in ranks[1:]:
        assert_same((found["weights"], ranks[0]["weights"]), exact=True)
        assert_same((found["gradients"][0], ranks[0]["gradients"][0]), exact=True)
        assert found["buffers"]


def test_inside_no_sync_each_rank_keeps_its_own(ranks):
    for found in ranks:
        assert_same(found["alone"], exact=False)
    assert not torch.equal(ranks[0]["alone"][0][0], ranks[1]["alone"][0][0])


def test_buckets_leave_in_order_and_before_the_backward_pass_is_over(ranks):
    for found in ranks:
        launched = [bucket for event, bucket in found["trace"] if event == "launched"]
        assert launched == list(range(len(launched)))
        assert len(launched) > 2
        assert found["trace"].index(("launched", 1)) < found["trace"].index(("backward done", None))
        assert ("averaged", None) in found["trace"]


def test_without_overlap_the_same_buckets_leave_after_the_backward_pass(ranks):
    for found in ranks:
        assert_same((found["late"], found["gradients"][0]), exact=True)
        assert found["late trace"][0] == "backward done"
        assert found["late trace"].count("launched") == sum(event == "launched" for event, _ in found["trace"])


def test_an_unused_parameter_is_refused_by_name(ranks):
    for found in ranks:
        assert "2 of 12 parameters (branch.weight, branch.bias)" in found["refusal"]
        assert "requires_grad_(False)" in found["refusal"]


def one_rank_leaves_it_out(rank):
    own = OwnDDP(Model())
    own(torch.randn(2, 1, 8, 8), branch=rank == 0).sum().backward()


def test_an_unused_parameter_on_one_rank_ends_the_job_with_its_name():
    with pytest.raises(RankError, match=r"branch\.weight") as caught:
        run_ranks(one_rank_leaves_it_out, 2, timeout=60)
    assert caught.value.rank == 1


def broken_backward(rank):
    """A pass that breaks off half-way, then a whole one."""
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    own = OwnDDP(model, bucket_cap_mb=1 / 2**20)
    dist.barrier()
    handle = model[0].weight.register_hook(lambda gradient: 1 / 0)
    try:
        own(torch.ones(2, 3)).sum().backward()
    except ZeroDivisionError:
        handle.remove()
    own.zero_grad()
    own(torch.ones(2, 3)).sum().backward()
    return gradients(own)


def test_after_a_backward_pass_that_broke_off_the_next_is_whole():
    one, other = run_ranks(broken_backward, 2, timeout=60)
    assert_same((one, other), exact=True)
    torch.testing.assert_close(one[-1], torch.full((3,), 2.0))


def test_buckets_are_filled_from_the_last_layer_to_the_first():
    layers = nn.Sequential(*[nn.Linear(256, 256, bias=False) for _ in range(9)])  # 256 KiB each
    lists = in_buckets(layers, 0.5, first_cap_mb=0.25)
    assert [len(parameters) for parameters in lists] == [1, 2, 2, 2, 2]
    assert [p for parameters in lists for p in parameters] == list(reversed(list(layers.parameters())))


def test_a_bucket_holds_one_dtype_and_no_frozen_parameter():
    layers = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3).double(), nn.Linear(3, 3).requires_grad_(False))
    kinds = [{p.dtype for p in parameters} for parameters in in_buckets(layers, 1)]
    assert kinds == [{torch.float64}, {torch.float32}]
