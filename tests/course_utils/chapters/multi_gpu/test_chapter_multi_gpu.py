"""Claims of chapter 10 that its cells do not decide, of what they define; its record's script as far as it runs."""

import subprocess
import sys

import matplotlib.pyplot as plt
import pytest
import torch
import torch.distributed as dist
from notebook_cells import defined
from torch import nn
from torch.utils.data import DistributedSampler
from torchvision.models import resnet18

from course_utils import PROJECT, recorded
from course_utils.chapters.multi_gpu import measures
from course_utils.chapters.multi_gpu.cuts import draw_cuts
from course_utils.exercises import multi_gpu as ex
from course_utils.launch import Ranks

SCRIPT = PROJECT / "tools" / "record" / "multi_gpu.py"
CELLS = defined(
    "10",
    "SEED",
    "shard",
    "SumOverRanks",
    "SyncedNorm",
    "AveragingSGD",
    "DataParallelByHand",
    "Residual",
    "make_resnet",
)


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
    with pytest.raises(KeyError), measures.counted_bytes() as sent:
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
    found = measures.timed(works, group=None, runs=3)
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


def accuracy_here(rank, batches, more):
    metric, found = ex.Accuracy.reference(), []
    for coming in (batches, more):
        for logits, targets in coming[rank]:
            metric.update(logits, targets)
        found += [metric.compute(dist.all_reduce), metric.compute(dist.all_reduce)]
    return found


def test_accuracy_over_real_ranks_is_what_the_check_plays_in_one_process():
    with Ranks(2, timeout=200) as ranks:
        for case in (case for case in ex.Accuracy.inputs(1) if len(case[0]) == 2):
            played = list(ex.Accuracy.probe(ex.Accuracy.reference, *case).values())
            expected = [played[place] for place in (1, 2, 4, 5)]
            for rank, found in enumerate(ranks.run(accuracy_here, *case)):
                assert found == pytest.approx([both[rank] for both in expected], nan_ok=True)


def test_a_rank_that_leaves_early_and_tensors_that_do_not_match_are_said():
    class Leaves(ex.Accuracy.reference):
        def compute(self, all_reduce):
            return super().compute(all_reduce) if self.counts[1] else 0.0

    class Grows(ex.Accuracy.reference):
        def compute(self, all_reduce):
            all_reduce(torch.zeros(int(self.counts[1])))

    batches = [[(torch.zeros(2, 3), torch.zeros(2, dtype=torch.int64))], []]
    found = [
        ex.Accuracy.probe(kind, batches, batches)["the accuracy on each rank at first"] for kind in (Leaves, Grows)
    ]
    assert found[0] == "rank 1 returns after 0 calls of all_reduce, and another rank waits in its next"
    assert found[1] == "the ranks hand all_reduce tensors of different shapes or dtypes"


def test_a_hook_is_found_by_its_name(monkeypatch):
    monkeypatch.setattr(torch.cuda, "synchronize", torch.cuda.synchronize)  # PowerSGD's is put back afterwards
    names = [
        measures.hook_named(name)[1].__name__ for name in ("fp16_compress", "bf16_compress", "PowerSGD", "none")
    ]
    assert names == ["fp16_compress_hook", "bf16_compress_hook", "powerSGD_hook", "allreduce_hook"]


def test_beside_a_gpu_powersgd_does_not_wait_for_a_cpu(monkeypatch):
    """On a machine with a GPU torch's hook synchronizes the device of its gradients, which raised for a CPU."""
    asked = []
    monkeypatch.setattr(torch.cuda, "synchronize", asked.append)
    measures.hook_named("PowerSGD")
    for device in (torch.device("cpu"), "cpu", None, 1, torch.device("cuda", 0)):
        torch.cuda.synchronize(device)
    assert asked == [None, 1, torch.device("cuda", 0)]


def test_the_picture_of_cuts_has_five_columns():
    figure = draw_cuts()
    assert [ax.get_title() for ax in figure.axes[:5]] == ["data", "FSDP", "tensor", "pipeline", "context"]
    plt.close(figure)


def test_a_share_gives_its_sums_and_its_length_and_nothing_else():
    examples = torch.arange(6.0).view(3, 2)
    share = ex.questions.Share(examples)
    assert torch.equal(share.sum(0), examples.sum(0)) and len(share) == 3
    assert torch.equal(share.square().sum(dim=0), examples.square().sum(0))
    assert share == ex.questions.Share(examples.clone()) and share != ex.questions.Share(examples + 1)
    for forbidden in (lambda: share.mean(0), lambda: share.sum(1), lambda: list(share), lambda: share - 1):
        with pytest.raises((AttributeError, TypeError)):
            forbidden()


def test_gradients_that_travel_in_sixteen_bits_arrive_as_they_left(alone):
    model = nn.Linear(3, 2)
    optimizer = CELLS.AveragingSGD(model.parameters(), lr=0.1, compression=torch.bfloat16)
    with measures.counted_bytes() as sent:
        model(torch.ones(1, 3)).sum().backward()
        optimizer.step()
    assert sorted(sent) == [4, 12] and model.weight.grad.dtype == torch.float32


@pytest.mark.parametrize("count", [1, 2, 3])
def test_replicas_give_the_models_outputs_and_gradients(count):
    model, inputs = nn.Linear(3, 2).double(), torch.randn(6, 3, dtype=torch.float64)
    plain = torch.autograd.grad(model(inputs).square().sum(), model.parameters())
    wrapped = CELLS.DataParallelByHand(model, count)
    torch.testing.assert_close(wrapped(inputs), model(inputs))
    torch.testing.assert_close(torch.autograd.grad(wrapped(inputs).square().sum(), model.parameters()), plain)


def test_the_resnet_of_blocks_has_as_many_weights_as_torchvisions():
    theirs = resnet18(num_classes=10)
    theirs.conv1 = nn.Conv2d(1, 64, 3, padding=1, bias=False)
    theirs.maxpool = nn.Identity()
    ours = CELLS.make_resnet()
    shapes = [sorted(tuple(weight.shape) for weight in model.parameters()) for model in (ours, theirs)]
    assert shapes[0] == shapes[1]
    assert ours.eval()(torch.zeros(2, 1, 14, 14)).shape == (2, 10)


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
