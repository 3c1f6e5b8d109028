"""Claims of chapter 10 that its cells do not decide, of what they define; its record's script as far as it runs."""

import subprocess
import sys

import pytest
import torch
import torch.distributed as dist
from notebook_cells import defined
from torch import nn
from torch.utils.data import DistributedSampler

from course_utils import PROJECT, recorded
from course_utils.exercises import multi_gpu as ex

SCRIPT = PROJECT / "tools" / "record" / "multi_gpu.py"
CELLS = defined("10", "shard", "SumOverRanks", "SyncedNorm", "counted_bytes", "AveragingSGD", "timed")


@pytest.fixture
def alone():
    """A process group of one rank, in this process."""
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    yield
    dist.destroy_process_group()


def test_a_synchronised_norm_of_one_rank_is_batch_norm_with_its_gradient_and_what_it_keeps(alone):
    inputs = torch.randn(6, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) * 4 + 1
    seen = []
    for norm in (nn.BatchNorm1d(3).double(), CELLS.SyncedNorm(3).double()):
        leaf = inputs.clone().requires_grad_()
        output = norm(leaf)
        (output * torch.arange(3)).square().sum().backward()
        kept = [norm.running_mean, norm.running_var, norm.num_batches_tracked]
        seen.append([output.detach(), leaf.grad, norm.weight.grad, norm.bias.grad, *kept, norm.eval()(inputs)])
    torch.testing.assert_close(seen[1], seen[0])


def test_bytes_are_counted_and_the_real_all_reduce_is_put_back(alone):
    plain, numbers = dist.all_reduce, torch.ones(5)
    with pytest.raises(KeyError), CELLS.counted_bytes() as sent:
        dist.all_reduce(numbers)
        dist.all_reduce(numbers.to(torch.float16), op=dist.ReduceOp.MAX)
        raise KeyError
    assert sent == [20, 10]
    assert dist.all_reduce is plain


def test_an_optimizer_that_averages_over_one_rank_is_plain_sgd(alone):
    ends = []
    for kind in (torch.optim.SGD, CELLS.AveragingSGD):
        torch.manual_seed(0)
        model, inputs = nn.Linear(3, 2), torch.randn(4, 3)
        optimizer = kind(model.parameters(), lr=0.1, momentum=0.9)
        for _ in range(3):
            optimizer.zero_grad()
            model(inputs).square().sum().backward()
            optimizer.step()
        ends.append(nn.utils.parameters_to_vector(model.parameters()))
    assert torch.equal(*ends)


def test_works_take_turns_and_the_first_round_does_not_count(alone):
    calls = []
    works = {name: lambda name=name: calls.append(name) for name in ("one", "two")}
    found = CELLS.timed(works, group=None, runs=3)
    assert calls == ["one", "two"] * 4
    assert [len(pair) for pair in found.values()] == [2, 2]
    assert all(clock > 0 and processor >= 0 for clock, processor in found.values())


def test_the_shards_of_a_batch_are_the_batch():
    batch = torch.arange(12)
    for world_size in (1, 2, 3, 4):
        parts = [CELLS.shard(batch, rank, world_size) for rank in range(world_size)]
        assert torch.equal(torch.cat(parts), batch)
        assert len({len(part) for part in parts}) == 1


def test_the_first_exercise_deals_as_pytorchs_sampler_does():
    for seed in range(5):
        for length, world_size in ex.rank_indices.inputs(seed):
            samplers = [
                DistributedSampler(range(length), num_replicas=world_size, rank=rank, shuffle=False)
                for rank in range(world_size)
            ]
            assert ex.rank_indices.reference(length, world_size) == [list(sampler) for sampler in samplers]


@pytest.mark.skipif(
    torch.cuda.device_count() >= 2, reason="this machine has two GPUs, and would really be recorded"
)
def test_without_two_gpus_nothing_is_recorded_and_a_sentence_says_why():
    there = sorted(recorded.FOLDER.glob("*"))
    result = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, timeout=60)
    assert result.returncode == (1 if torch.cuda.is_available() else 2)
    assert result.stdout == ""
    assert result.stderr.endswith("expected two: nothing to record.\n")
    assert "Traceback" not in result.stderr
    assert sorted(recorded.FOLDER.glob("*")) == there
