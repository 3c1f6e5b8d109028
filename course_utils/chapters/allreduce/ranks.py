"""What chapter 11's ranks do: functions that its cells hand to `run_ranks`, called as `function(rank, ...)`."""

import hashlib
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from course_utils.chapters.allreduce.collectives import all_reduce_naive, all_reduce_ring, all_reduce_tree
from course_utils.chapters.allreduce.own_ddp import OwnDDP
from course_utils.chapters.allreduce.shared_memory import SharedMemoryAllReduce
from course_utils.chapters.allreduce.traffic import Traffic

OURS = {"naive": all_reduce_naive, "ring": all_reduce_ring, "tree": all_reduce_tree}
SHARED = "shared memory", "shared, elsewhere"  # the tensor lies in the segment, or has to be copied in and out


def part_of(rank, length, dtype):
    """What a rank hands in: the same at every call, different at every rank."""
    draw = torch.Generator().manual_seed(1000 + rank)
    return (torch.randn(length, generator=draw) * 100).to(dtype)


def check_all(rank, lengths, dtypes):
    """All algorithms on the first 1, 2, ... of the ranks.

    Returns {(algorithm, ranks): (number of wrong results, digest of all results)} of the groups this rank is in.
    """
    found = {}
    for world_size in range(1, dist.get_world_size() + 1):
        group = dist.new_group(list(range(world_size)))
        if rank >= world_size:
            continue
        with SharedMemoryAllReduce(8 * max(lengths), group=group) as shared:
            room = shared.empty(8 * max(lengths), dtype=torch.uint8)  # in which the tensors take turns
            for name, reduce in (OURS | dict.fromkeys(SHARED, shared)).items():
                wrong, digest = 0, hashlib.sha256()
                for length in lengths:
                    for dtype in dtypes:
                        parts = [part_of(other, length, dtype) for other in range(world_size)]
                        wanted, tensor = torch.stack(parts).double().sum(dim=0), parts[rank].clone()
                        if name == "shared memory":
                            tensor = room[: tensor.nbytes].view(dtype).copy_(tensor)
                        reduce(tensor, group=group) if name in OURS else reduce(tensor)
                        limit = world_size * torch.finfo(dtype).eps if dtype.is_floating_point else 0
                        scale = torch.stack(parts).double().abs().sum(dim=0)
                        wrong += int(((tensor - wanted).abs() > limit * scale).any())
                        digest.update(tensor.view(torch.uint8).numpy().tobytes())
                found[name, world_size] = wrong, digest.hexdigest()[:12]
    return found


def watch_traffic(rank, length):
    """{algorithm: (bytes sent, messages sent, events)} of this rank for `length` float32."""
    found = {}
    for name, reduce in OURS.items():
        with Traffic() as traffic:
            reduce(part_of(rank, length, torch.float32))
        found[name] = traffic.bytes, traffic.messages, traffic.events
    return found


def measure(rank, sizes, repeats):
    """{(algorithm, bytes): seconds}: the fastest of `repeats`, in turns; "copy" is one core that copies so much.

    Sizes from 16 MiB on are repeated twice. A run is as slow as its slowest rank.
    """
    found = {}
    with SharedMemoryAllReduce(max(sizes)) as shared:
        room = shared.empty(max(sizes) // 4)
        ways = {"gloo": dist.all_reduce, **OURS, **dict.fromkeys(SHARED, shared), "copy": torch.clone}
        for size in sizes:
            outside, inside, best = torch.ones(size // 4), room[: size // 4], dict.fromkeys(ways, float("inf"))
            for _ in range(1 + (repeats if size < 2**24 else min(2, repeats))):
                for name, reduce in ways.items():
                    tensor = inside if name == "shared memory" else outside
                    tensor.fill_(1.0)
                    dist.barrier()
                    start = time.perf_counter()
                    reduce(tensor)
                    best[name] = min(best[name], time.perf_counter() - start)
                    if name != "copy" and tensor[-1] != dist.get_world_size():
                        raise ValueError(f"{name} gave {tensor[-1]:g}, expected {dist.get_world_size()}")
            slowest = torch.tensor(list(best.values()), dtype=torch.float64)
            dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
            found |= {(name, size): seconds for name, seconds in zip(ways, slowest.tolist(), strict=True)}
    return found


def deep_model(seed):
    """Eight layers of 512 x 512 weights, 1 MiB each."""
    torch.manual_seed(seed)
    layers = [module for _ in range(8) for module in (nn.Linear(512, 512), nn.ReLU())]
    return nn.Sequential(*layers, nn.Linear(512, 10))


def ddp_beside_torchs(rank, size):
    """Gradients by our wrapper and by torch's, and what our backward pass did when.

    Returns (largest difference, digest of our gradients, [(event, bucket, milliseconds since the start)]).
    """
    trace, torch_ddp = [], DistributedDataParallel(deep_model(rank), bucket_cap_mb=1)
    own = OwnDDP(deep_model(rank), bucket_bytes=2**20, trace=trace)
    torch.manual_seed(100 + rank)  # each rank its own batch
    inputs, targets = torch.randn(size, 512), torch.randint(10, (size,))
    F.cross_entropy(torch_ddp(inputs), targets).backward()
    for _ in range(2):  # the first pass opens connections
        own.zero_grad()
        loss = F.cross_entropy(own(inputs), targets)
        dist.barrier()
        trace.clear()
        start = time.perf_counter()
        loss.backward()
    time.sleep(0.1)  # the last message's note comes from another thread
    pairs = list(zip(own.parameters(), torch_ddp.parameters(), strict=True))
    largest = max((one.grad - other.grad).abs().max().item() for one, other in pairs)
    digest = hashlib.sha256(torch.cat([one.grad.flatten() for one, _ in pairs]).numpy().tobytes()).hexdigest()
    return largest, digest[:12], [(event, bucket, 1e3 * (when - start)) for event, bucket, when in trace]


def leave_a_layer_out(rank):
    """A backward pass that reaches the last layer on rank 0 only."""
    model = OwnDDP(deep_model(0))
    layers = model.module if rank == 0 else model.module[:-1]
    layers(torch.randn(4, 512)).sum().backward()


def through_nccl(rank):
    """All-reduce on this rank's GPU; what came out."""
    tensor = torch.full((4,), rank + 1.0, device="cuda")
    dist.all_reduce(tensor)
    return tensor
