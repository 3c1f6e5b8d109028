"""What a distributed step costs, for chapter 10: the bytes that hooks send, and where the time of a step goes."""

import contextlib
import statistics
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook, fp16_compress_hook
from torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook import PowerSGDState, powerSGD_hook
from torch.nn.parallel import DistributedDataParallel

from course_utils.chapters.multi_gpu.ranks import share, small_model

SIZES = (1, 2, 4)
WARM = 3  # steps that PowerSGD sends whole, before it compresses


def hook_named(name):
    """(state, hook) as `register_comm_hook` takes them."""
    if name == "PowerSGD":
        state = PowerSGDState(None, matrix_approximation_rank=1, start_powerSGD_iter=WARM, min_compression_rate=1)
        return state, powerSGD_hook
    return None, fp16_compress_hook if name == "fp16_compress" else allreduce_hook


@contextlib.contextmanager
def counted_bytes():
    """A list that gets the bytes of each tensor handed to `dist.all_reduce`, which is put back afterwards."""
    sent, plain = [], dist.all_reduce

    def counting(tensor, *arguments, **options):
        sent.append(tensor.nbytes)
        return plain(tensor, *arguments, **options)

    dist.all_reduce = counting
    try:
        yield sent
    finally:
        dist.all_reduce = plain


def train_compressed(rank, images, targets, steps):
    """By name of the way: (bytes sent in the last step, losses of all steps, dtype of the gradients)."""
    found = {}
    world_size = dist.get_world_size()
    own, wanted = share(images, rank, world_size), share(targets, rank, world_size)
    for name in ("all_reduce", "bf16 autocast", "fp16_compress", "PowerSGD"):
        ddp = DistributedDataParallel(small_model(dtype=torch.float32))
        ddp.register_comm_hook(*hook_named(name))
        optimizer, losses = torch.optim.SGD(ddp.parameters(), lr=0.3), []
        for _ in range(steps):
            optimizer.zero_grad()
            with counted_bytes() as sent:
                with torch.autocast("cpu", dtype=torch.bfloat16, enabled=name == "bf16 autocast"):
                    loss = F.cross_entropy(ddp(own), wanted)
                loss.backward()
            optimizer.step()
            losses.append(loss.item())
        found[name] = sum(sent), losses, next(ddp.parameters()).grad.dtype
    return found


def conv_model():
    """The LeNet of chapter 09 without its BatchNorm: 109,000 weights."""
    torch.manual_seed(0)
    first = nn.Conv2d(1, 16, 5), nn.MaxPool2d(2), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.MaxPool2d(2), nn.ReLU()
    return nn.Sequential(*first, nn.Flatten(), nn.Linear(800, 128), nn.ReLU(), nn.Linear(128, 10))


def timed(works, *, group, runs):
    """By name of each work: medians of its seconds (by the clock, on a processor).

    The works take turns, so that a neighbour's load meets all of them; all ranks of the group begin together.
    """
    seconds = {name: [] for name in works}
    for _ in range(runs + 1):
        for name, work in works.items():
            dist.barrier(group=group)
            clock, processor = time.perf_counter(), time.process_time()
            work()
            seconds[name].append((time.perf_counter() - clock, time.process_time() - processor))
    columns = {name: zip(*pairs[1:], strict=True) for name, pairs in seconds.items()}  # the first pair warms up
    return {name: [statistics.median(column) for column in both] for name, both in columns.items()}


def costs(rank, images, targets, runs):
    """By (ranks in the group, part of a step): medians of (clock, processor) in seconds.

    Each rank has the same batch, so N ranks do N times the work. Parts: "compute" (forward and backward, no
    averaging), "all_reduce" (as many numbers as the model has), "step" (DDP with its averaging, and the optimizer).
    """
    groups = {size: dist.new_group(list(range(size))) for size in SIZES}
    found = {}
    for size, group in groups.items():
        if rank < size:
            ddp = DistributedDataParallel(conv_model(), process_group=group)
            optimizer = torch.optim.SGD(ddp.parameters(), lr=0.01)
            numbers = nn.utils.parameters_to_vector(ddp.parameters()).detach()

            def compute(ddp=ddp):
                with ddp.no_sync():
                    F.cross_entropy(ddp(images), targets).backward()

            def step(ddp=ddp, optimizer=optimizer):
                optimizer.zero_grad()
                F.cross_entropy(ddp(images), targets).backward()
                optimizer.step()

            works = {"compute": compute, "step": step}
            works["all_reduce"] = lambda numbers=numbers, group=group: dist.all_reduce(numbers, group=group)
            found |= {(size, name): pair for name, pair in timed(works, group=group, runs=runs).items()}
        dist.barrier()  # the others sleep here, and leave the cores alone
    return found
