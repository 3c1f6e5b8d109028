"""All-reduce by gloo, by our own ways over send and recv, and over shared memory, on the ranks of this machine.

    python benchmarks/allreduce.py [--rounds 9] [--largest 268435456] [--plot FILE.png]

At 2 and 4 ranks, float32 tensors of 4 KiB to 256 MiB, every way in every round, alternating; each rank has one
thread, fills its tensor anew before each call and checks the result after it, both outside the clock. A time is
that of the slowest rank, of up to 20 calls in a row where tensors are small, so that the start does not count.
Medians.

`shared_memory`: tensors made by `empty`, which lie in the segment, as a DDP's buckets would: no copy is needed, and
none is made. `shared_memory_elsewhere`: tensors that lie anywhere, all copies included, `elsewhere_vs_gloo_*`.

shm_vs_gloo_2, shm_vs_gloo_4    64 MiB: gloo's seconds over those of `shared_memory`
shm_vs_copy_2     64 MiB, 2 ranks: the least time over ours. A rank must at least read its half at both ranks and
                  write it to both: as many bytes as are read and written to copy the whole tensor once. The least
                  time is that of such a copy by one rank alone. Above 1: a copy also loads the lines that it
                  overwrites, where an all-reduce has read them already
ring_vs_gloo_4    64 MiB, 4 ranks: gloo's seconds over those of the ring
ring_traffic_vs_theory    64 MiB, 4 ranks: bytes sent over 2 (N - 1) / N of the tensor
ddp_step_ratio    2 ranks: a training step with `OwnDDP` over one with torch's DistributedDataParallel, neighbours
                  in time, median; both must end with the same weights but for rounding
model_median_error    of the alpha-beta model, fitted to a third of the sizes of naive, ring and tree, on the rest

The last line is JSON, with all medians as `measured`. Exit status 1 where a goal is missed, 2 where the machine has
too little memory.
"""

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import psutil
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn

from course_utils import machine
from course_utils.chapters.allreduce import cost_model
from course_utils.chapters.allreduce.barrier import Barrier
from course_utils.chapters.allreduce.collectives import all_reduce_naive, all_reduce_ring, all_reduce_tree
from course_utils.chapters.allreduce.own_ddp import OwnDDP
from course_utils.chapters.allreduce.segment import make_segment
from course_utils.chapters.allreduce.shared_memory import SharedMemoryAllReduce
from course_utils.chapters.allreduce.traffic import Traffic
from course_utils.launch import RankError, run_ranks

SIZES = [4**power for power in range(6, 15)]  # bytes: 4 KiB to 256 MiB
SHOWN = 2**26  # bytes: the size that the figures are about
SENT = {"naive": all_reduce_naive, "ring": all_reduce_ring, "tree": all_reduce_tree}
GOALS = {  # figure: (goal, whether at least or at most)
    "shm_vs_gloo_2": (7, "least"),
    "shm_vs_gloo_4": (5, "least"),
    "shm_vs_copy_2": (0.5, "least"),
    "ring_vs_gloo_4": (1, "least"),
    "ring_traffic_vs_theory": ((0.99, 1.01), "within"),
    "ddp_step_ratio": (1.15, "most"),
    "model_median_error": (0.25, "most"),
}


def measure(rank, sizes, rounds):
    """{(way, bytes): seconds of each round} at this rank, and the bytes it sent for the ring's largest size."""
    world_size, found = dist.get_world_size(), {}
    counters = memoryview(make_segment(Barrier.size(world_size)))
    start_line = Barrier(
        counters, rank=rank, world_size=world_size, timeout=60
    )  # lets all go at once; gloo's does not
    with SharedMemoryAllReduce(max(sizes), timeout=60) as shared:
        room = shared.empty(max(sizes) // 4)
        ways = {"gloo": dist.all_reduce, **SENT, "shared_memory": shared, "shared_memory_elsewhere": shared}
        for size in sizes:
            base = torch.arange(size // 4, dtype=torch.int32) % 1000
            mine, calls = (base + rank).float(), max(1, min(20, 2**18 // size))
            result = (base * world_size + sum(range(world_size))).float() * world_size ** (calls - 1)
            outside, inside, base = torch.empty_like(mine), room[: len(mine)], None
            found |= {(way, size): [] for way in (*ways, "copy")}
            for turn in range(rounds + 1):
                for way, reduce in ways.items():
                    tensor = inside if way == "shared_memory" else outside
                    tensor.copy_(mine)
                    start_line.wait("the start")
                    start = time.perf_counter()
                    for _ in range(calls):
                        reduce(tensor)
                    seconds = (time.perf_counter() - start) / calls
                    assert torch.equal(tensor, result), f"{way} gave a wrong result for {size} bytes"
                    found[way, size] += [seconds] if turn else []  # the first one opens connections
                if rank == 0:
                    start = time.perf_counter()
                    outside.copy_(mine)
                    found["copy", size] += [time.perf_counter() - start] if turn else []
                dist.barrier()  # while one rank copies, the others sleep
        with Traffic() as traffic:
            all_reduce_ring(torch.ones(SHOWN // 4))
    return found, traffic.bytes


def make_model(seed):
    torch.manual_seed(seed)
    layers = [nn.Linear(784, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10)]
    return nn.Sequential(*layers)


def train_both(rank, steps):
    """Seconds of each step with torch's wrapper and with ours, which take turns."""
    models = nn.parallel.DistributedDataParallel(make_model(0)), OwnDDP(make_model(0))
    optimizers = [torch.optim.SGD(model.parameters(), lr=0.01) for model in models]
    torch.manual_seed(1 + rank)
    seconds = [], []
    for _ in range(steps + 2):
        inputs, targets = torch.randn(64, 784), torch.randint(10, (64,))
        for model, optimizer, times in zip(models, optimizers, seconds, strict=True):
            dist.barrier()
            start = time.perf_counter()
            optimizer.zero_grad()
            F.cross_entropy(model(inputs), targets).backward()
            optimizer.step()
            times.append(time.perf_counter() - start)
    for own, torchs in zip(models[1].parameters(), models[0].parameters(), strict=True):
        torch.testing.assert_close(own, torchs, rtol=1e-4, atol=1e-5)
    return [times[2:] for times in seconds]


def slowest(by_rank):
    """{(way, bytes): median over the rounds of the slowest rank's seconds}."""
    keys = by_rank[0].keys()
    return {
        key: statistics.median(
            max(times) for times in zip(*(found[key] for found in by_rank if found[key]), strict=True)
        )
        for key in keys
    }


def figures(medians, sent, steps):
    """The keys of the last line, from medians by number of ranks, bytes sent by the ranks, seconds of the steps."""
    two, four = medians[2], medians[4]
    rows = [
        cost_model.Measured(way, world_size, size, seconds)
        for world_size, times in medians.items()
        for (way, size), seconds in times.items()
        if way in SENT
    ]
    found = {
        "shm_vs_gloo_2": two["gloo", SHOWN] / two["shared_memory", SHOWN],
        "shm_vs_gloo_4": four["gloo", SHOWN] / four["shared_memory", SHOWN],
        "elsewhere_vs_gloo_2": two["gloo", SHOWN] / two["shared_memory_elsewhere", SHOWN],
        "elsewhere_vs_gloo_4": four["gloo", SHOWN] / four["shared_memory_elsewhere", SHOWN],
        "shm_vs_copy_2": two["copy", SHOWN] / two["shared_memory", SHOWN],
        "ring_vs_gloo_4": four["gloo", SHOWN] / four["ring", SHOWN],
        "ring_traffic_vs_theory": statistics.mean(sent) / (2 * 3 / 4 * SHOWN),
        "ddp_step_ratio": statistics.median(own / torchs for torchs, own in zip(*steps, strict=True)),
        "model_median_error": cost_model.fit_each(rows)[1],
    }
    return {name: round(value, 3) for name, value in found.items()}


def goal_in_words(name):
    """`7 at least`."""
    goal, kind = GOALS[name]
    return f"{goal[0]} to {goal[1]}" if kind == "within" else f"{goal} at {kind}"


def missed(found):
    """A phrase for each figure that is not as it should be."""
    phrases = []
    for name, (goal, kind) in GOALS.items():
        low, high = {"least": (goal, float("inf")), "most": (0, goal), "within": goal}[kind]
        if not low <= found[name] <= high:
            phrases.append(f"{name} is {found[name]}, the goal is {goal_in_words(name)}")
    return phrases


def draw(path, medians):
    """Seconds over bytes for every way, a picture for each number of ranks."""
    import matplotlib.pyplot as plt  # only where a picture is wanted

    from course_utils.plotting import COLORS, SERIES, use_style

    styles = {
        "gloo": (COLORS["torch"], "-"),
        "naive": (SERIES[2], "-"),
        "ring": (SERIES[0], "-"),
        "tree": (SERIES[1], "-"),
        "shared_memory": (COLORS["ours"], "-"),
        "shared_memory_elsewhere": (COLORS["ours"], "--"),
        "copy": (COLORS["torch"], ":"),
    }
    use_style()
    figure, axes = plt.subplots(1, len(medians), figsize=(9, 3.8), sharey=True)
    for ax, (world_size, times) in zip(axes, medians.items(), strict=True):
        for way, (color, line) in styles.items():
            points = [(size / 2**20, 1e3 * seconds) for (name, size), seconds in times.items() if name == way]
            ax.plot(*zip(*points, strict=True), line, color=color, marker=".", label=way.replace("_", " "))
        ax.set(xscale="log", yscale="log", xlabel="MiB of float32", title=f"All-reduce by {world_size} ranks")
    axes[0].set_ylabel("milliseconds")
    axes[0].legend(fontsize="small")
    figure.savefig(path, format="png")
    plt.close(figure)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="rounds of every way and size (default: 9)")
    parser.add_argument(
        "--largest", type=int, default=SIZES[-1], help="bytes of the largest tensor, at least 64 MiB"
    )
    parser.add_argument("--plot", type=Path, help="write a picture of all times to this file")
    options = parser.parse_args(arguments)
    if options.largest < SHOWN or options.rounds < 1:
        parser.error(f"the figures are about {SHOWN} bytes: --largest at least that, and --rounds 1")
    return options


def main(arguments=None):
    options = parse(arguments)
    sizes = [size for size in SIZES if size <= options.largest]
    needed = 4 * 8 * sizes[-1]  # 4 ranks; tensors of each at a time, intermediate results among them
    if psutil.virtual_memory().available < needed:
        print(f"Four ranks need {needed / 2**30:.1f} GiB of free memory: try --largest {SHOWN}.", file=sys.stderr)
        return 2
    medians, sent = {}, []
    try:
        for world_size in (2, 4):
            by_rank = run_ranks(measure, world_size, sizes, options.rounds, timeout=600)
            sent = [count for _, count in by_rank]
            medians[world_size] = slowest([found for found, _ in by_rank])
            for (way, size), seconds in medians[world_size].items():
                if size == SHOWN:
                    print(f"{world_size} ranks, {size // 2**20} MiB, {way}: {1e3 * seconds:.1f} ms")
        by_rank = run_ranks(train_both, 2, 40, timeout=120)
    except RankError as error:
        print(error, file=sys.stderr)
        return 3
    steps = [[max(times) for times in zip(*(ranks[way] for ranks in by_rank), strict=True)] for way in range(2)]
    if options.plot:
        draw(options.plot, medians)
    found, facts = figures(medians, sent, steps), machine.describe()
    result = {
        "benchmark": "allreduce",
        **found,
        "goals": {name: goal for name, (goal, _) in GOALS.items()},
        "rounds": options.rounds,
        "ddp_step_ms": {
            name: round(1e3 * statistics.median(of), 2) for name, of in zip(("torch", "own"), steps, strict=True)
        },
        "measured": [
            {"way": way, "ranks": ranks, "bytes": size, "ms": round(1e3 * seconds, 4)}
            for ranks, times in medians.items()
            for (way, size), seconds in times.items()
        ],
        "machine": {key: facts[key] for key in ("cores", "threads", "cpu_capability", "os", "python", "torch")},
    }
    phrases = missed(found)
    if phrases:
        print(f"Missed: {'; '.join(phrases)}. Does the machine do other work?", file=sys.stderr)
    print(json.dumps(result))
    return int(bool(phrases))


if __name__ == "__main__":
    sys.exit(main())
