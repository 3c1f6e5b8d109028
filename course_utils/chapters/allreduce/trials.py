"""Chapter 11's trials on ranks: are the algorithms right, how fast are they, what does overlap save?"""

import hashlib
import math
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from unittest.mock import patch

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn

LENGTHS = 0, 1, 3, 7, 1000, 1009
DTYPES = torch.float32, torch.float64, torch.bfloat16, torch.int64
SHARED = "shared memory", "shared, elsewhere"  # the tensor lies in the segment, or has to be copied in and out
Way = Callable[..., None]


def check_all(rank: int, ways: dict[str, Way], make_shared: Callable) -> dict:
    """Return {(way, world_size): (wrong sums, digest of all results)} at this rank, for groups of 1 to N ranks.

    `ways`: functions like `dist.all_reduce`; those of `SHARED` are tried too. A sum is wrong where it is off
    by more than rounding explains.
    """
    found, most = {}, 8 * max(LENGTHS)
    for world_size in range(1, dist.get_world_size() + 1):
        group = dist.new_group(list(range(world_size)))
        if rank < world_size:
            with make_shared(most, group=group) as shared:
                room = shared.empty(most, dtype=torch.uint8)  # in which the tensors take turns
                inside = partial(lambda room, part: room[: part.nbytes].view(part.dtype).copy_(part), room)
                tried = {name: (partial(reduce, group=group), torch.clone) for name, reduce in ways.items()}
                tried |= {SHARED[0]: (shared, inside), SHARED[1]: (shared, torch.clone)}
                for name, (reduce, place) in tried.items():
                    found[name, world_size] = _check_way(reduce, rank, world_size, place)
    return found


def _check_way(reduce, rank, world_size, place):
    wrong, digest = 0, hashlib.sha256()
    for length in LENGTHS:
        for dtype in DTYPES:
            parts = [_part_of(other, length, dtype) for other in range(world_size)]
            tensor, exact = place(parts[rank]), torch.stack(parts).double()
            reduce(tensor)
            limit = world_size * torch.finfo(dtype).eps if dtype.is_floating_point else 0
            wrong += int(((tensor - exact.sum(dim=0)).abs() > limit * exact.abs().sum(dim=0)).any())
            digest.update(tensor.view(torch.uint8).numpy().tobytes())
    return wrong, digest.hexdigest()[:12]


def _part_of(rank, length, dtype):
    draw = torch.Generator().manual_seed(1000 + rank)
    return (torch.randn(length, generator=draw) * 100).to(dtype)


def measure(rank: int, ways: dict[str, Way], make_shared: Callable, sizes: list[int], repeats: int) -> dict:
    """Return {(way, bytes): seconds}, each of the slowest rank in its fastest of 1 + `repeats` turns.

    Beside `ways`: those of `SHARED`, "gloo" (`dist.all_reduce`) and "copy", a rank's `clone()`. Large tensors take
    three turns at most.
    """
    found = {}
    with make_shared(max(sizes)) as shared:
        room = shared.empty(max(sizes) // 4)
        tried = {"gloo": dist.all_reduce, **ways, **dict.fromkeys(SHARED, shared), "copy": torch.clone}
        for size in sizes:
            outside, inside, best = torch.ones(size // 4), room[: size // 4], dict.fromkeys(tried, math.inf)
            for _ in range(1 + (repeats if size < 2**22 else min(2, repeats))):
                for name, reduce in tried.items():
                    tensor = inside if name == SHARED[0] else outside
                    tensor.fill_(1.0)
                    dist.barrier()
                    start = time.perf_counter()
                    reduce(tensor)
                    best[name] = min(best[name], time.perf_counter() - start)
                    assert name == "copy" or tensor[-1] == dist.get_world_size(), f"{name} gave {tensor[-1]:g}"
            slowest = torch.tensor(list(best.values()), dtype=torch.float64)
            dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
            found |= {(name, size): seconds for name, seconds in zip(tried, slowest.tolist(), strict=True)}
    return found


def through_nccl(rank: int, *, size: int = 2**26, repeats: int = 10) -> float:
    """Return the algorithm bandwidth, bytes a second, of NCCL's all-reduce of `size` bytes; a GPU for each rank."""
    torch.cuda.set_device(rank)
    tensor, best = torch.ones(size // 4, device="cuda"), math.inf
    for _ in range(repeats):
        torch.cuda.synchronize()
        start = time.perf_counter()
        dist.all_reduce(tensor)
        torch.cuda.synchronize()
        best = min(best, time.perf_counter() - start)
    return size / best


class _Travelling:
    """What `dist.all_reduce(async_op=True)` returns, for a message of the simulated link."""

    def __init__(self, future: Future):
        self.wait, self.get_future = future.result, lambda: future


def watch_overlap(rank: int, wrapper: Callable, make_model: Callable[[int], nn.Module], seconds: float) -> dict:
    """Return {overlap: {(event, bucket): milliseconds}} of a backward pass without and with overlap, the best of 5.

    `wrapper`: like `OwnDDP`, with a `trace`; buckets of 1 MiB. `seconds`: what a bucket takes on a simulated link,
    on which no core works; 0: as it is.
    """
    found, plain = {}, dist.all_reduce
    x, y = torch.randn(1024, 512), torch.randint(10, (1024,))
    with ThreadPoolExecutor(1) as lane:

        def slowly(tensor, *, group, async_op):
            return _Travelling(lane.submit(lambda: (time.sleep(seconds), plain(tensor, group=group))))

        with patch.object(dist, "all_reduce", slowly if seconds else plain):
            for overlap in (False, True) * 5:
                trace = []
                model = wrapper(make_model(0), bucket_cap_mb=1, trace=trace, overlap=overlap)
                loss = F.cross_entropy(model(x), y)
                dist.barrier()
                start = time.perf_counter()
                loss.backward()
                events = {(what, number): 1e3 * (when - start) for what, number, when in [*trace]}
                found[overlap] = min(events, found.get(overlap, events), key=lambda one: one["averaged", None])
    return found
