"""Chapter 10's measurements: bytes handed to all-reduce, and the seconds that the parts of a step take."""

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator, Mapping

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks, powerSGD_hook
from torch.nn.parallel import DistributedDataParallel


def hook_named(name: str) -> tuple[object, Callable]:
    """Return (state, hook) as `register_comm_hook` takes them.

    `name`: "PowerSGD", of rank 1 from the fourth step on; a name before `_hook` in `default_hooks`; any other is
    the plain all-reduce.
    """
    options = {"matrix_approximation_rank": 1, "start_powerSGD_iter": 3, "min_compression_rate": 1}
    if name == "PowerSGD":
        torch.cuda.synchronize = _unless_on_the_cpu(torch.cuda.synchronize)
        return powerSGD_hook.PowerSGDState(None, **options), powerSGD_hook.powerSGD_hook
    return None, getattr(default_hooks, f"{name}_hook", default_hooks.allreduce_hook)


def _unless_on_the_cpu(synchronize: Callable) -> Callable:
    """Return `synchronize` that has nothing to do for a CPU.

    Where there is a GPU, torch's PowerSGD waits for the device of its gradients, a CPU too, for which
    `torch.cuda.synchronize` raises: so seen with torch 2.11, and 2.14 has the same lines.
    """

    def guarded(device: object = None) -> None:
        if device is None or isinstance(device, int) or torch.device(device).type != "cpu":
            synchronize(device)

    return guarded


@contextlib.contextmanager
def counted_bytes() -> Iterator[list[int]]:
    """Yield a list that gets the bytes of each tensor handed to `dist.all_reduce`, which is put back afterwards."""
    sent, plain = [], dist.all_reduce

    def counting(tensor, *args, **kwargs):
        sent.append(tensor.nbytes)
        return plain(tensor, *args, **kwargs)

    dist.all_reduce = counting
    try:
        yield sent
    finally:
        dist.all_reduce = plain


def conv_model() -> nn.Sequential:
    """Return the LeNet of chapter 09 without its BatchNorm: 109,000 weights, for (N, 1, 28, 28)."""
    torch.manual_seed(0)
    first = nn.Conv2d(1, 16, 5), nn.MaxPool2d(2), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.MaxPool2d(2), nn.ReLU()
    return nn.Sequential(*first, nn.Flatten(), nn.Linear(800, 128), nn.ReLU(), nn.Linear(128, 10))


def timed(
    works: Mapping[str, Callable[[], object]], group: dist.ProcessGroup | None, runs: int
) -> dict[str, list[float]]:
    """Return by name of each work the medians of its seconds: by the clock, on a core.

    The works take turns, so that a neighbour's load meets all of them; one round more than `runs` warms up.
    """
    seconds = {name: [] for name in works}
    for _ in range(runs + 1):
        for name, work in works.items():
            dist.barrier(group=group)  # all ranks of the group begin together
            clock, on_core = time.perf_counter(), time.process_time()
            work()
            seconds[name].append((time.perf_counter() - clock, time.process_time() - on_core))
    columns = {name: zip(*pairs[1:], strict=True) for name, pairs in seconds.items()}
    return {name: [statistics.median(column) for column in both] for name, both in columns.items()}


def time_parts(
    rank: int, size: int, images: torch.Tensor, targets: torch.Tensor, runs: int
) -> dict[str, list[float]] | None:
    """Time a DDP step's parts on the first `size` ranks; for `Ranks.run`.

    Parts: "compute" (forward and backward, no averaging), "all_reduce" of as many numbers as the model has, "step".
    Return as `timed` does; None on the other ranks, which leave the cores alone.
    """
    group = dist.new_group(list(range(size)))
    if rank >= size:
        return None
    ddp = DistributedDataParallel(conv_model(), process_group=group)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.01)
    numbers = nn.utils.parameters_to_vector(ddp.parameters()).detach()

    def compute():
        with ddp.no_sync():
            F.cross_entropy(ddp(images), targets).backward()

    def step():
        optimizer.zero_grad()
        F.cross_entropy(ddp(images), targets).backward()
        optimizer.step()

    works = {"compute": compute, "step": step, "all_reduce": lambda: dist.all_reduce(numbers, group=group)}
    return timed(works, group, runs)
