"""Trains one net three ways in turns: one process with two threads, DataParallel's work by hand, and DDP.

`python scripts/ddp_speed.py FOLDER` writes FOLDER/ddp_speed.json: seconds of each way in every round, and the
largest difference between the gradients that the ways give for the same batch. DataParallel has no CPU form: here
two replicas are copied, run by two Python threads and gathered in every step. DDP has two processes of one thread
each. CPU and gloo. When a process fails (code 1) or the time is over (code 3), nothing is left running.
"""

import argparse
import copy
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from course_utils.launch import RankError, run_ranks

BATCH, STEPS, ROUNDS, RANKS = 128, 2, 8, 2


def net():
    """The chapter's net without BatchNorm, which would see half a batch on each rank."""
    torch.manual_seed(0)
    return nn.Sequential(
        *(nn.Conv2d(1, 16, 5), nn.MaxPool2d(2), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.MaxPool2d(2), nn.ReLU()),
        *(nn.Flatten(), nn.Linear(800, 128), nn.ReLU(), nn.Linear(128, 10)),
    )


def train(model, inputs, targets, *, threads):
    """STEPS steps on one batch with that many threads; returns the seconds and the gradients of the first step."""
    torch.set_num_threads(threads)

    def backward():
        F.cross_entropy(model(inputs), targets).backward()

    return steps(model, backward)


def train_replicas(model, inputs, targets):
    """The same as DataParallel does it, with a thread for each of RANKS replicas on the CPU."""
    torch.set_num_threads(1)
    with ThreadPoolExecutor(RANKS) as pool:

        def backward():
            replicas = [copy.deepcopy(model) for _ in range(RANKS)]  # the weights go out, in every step
            outputs = list(pool.map(lambda one, part: one(part), replicas, inputs.chunk(RANKS)))
            gathered = torch.cat([part.detach() for part in outputs]).requires_grad_()
            F.cross_entropy(gathered, targets).backward()  # on the main device
            list(pool.map(torch.Tensor.backward, outputs, gathered.grad.chunk(RANKS)))
            for parameter, *parts in zip(*(one.parameters() for one in (model, *replicas)), strict=True):
                parameter.grad = sum(part.grad for part in parts)

        return steps(model, backward)


def steps(model, backward):
    """Time STEPS steps; return the seconds and the gradients of the first."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    first, start = None, time.perf_counter()
    for _ in range(STEPS):
        optimizer.zero_grad()
        backward()
        if first is None:
            first = [parameter.grad.clone() for parameter in model.parameters()]
        optimizer.step()
    return time.perf_counter() - start, first


def measure(rank):
    """What each rank does; rank 0 returns the figures."""
    inputs = torch.randn(BATCH, 1, 28, 28, generator=torch.Generator().manual_seed(1))
    targets = torch.arange(BATCH) % 10
    share = slice(rank * BATCH // RANKS, (rank + 1) * BATCH // RANKS)
    seconds = {"one_process": [], "replicas": [], "ddp": []}
    for turn in range(ROUNDS + 1):  # the first round warms up
        alone, shared = net(), DistributedDataParallel(net())
        dist.barrier()
        if rank == 0:  # the other one waits at the barrier, and leaves its core to the second thread
            one, whole = train(alone, inputs, targets, threads=RANKS)
            other, summed = train_replicas(net(), inputs, targets)
        dist.barrier()
        two, averaged = train(shared, inputs[share], targets[share], threads=1)
        dist.barrier()
        if rank == 0 and turn:
            seconds["one_process"].append(one)
            seconds["replicas"].append(other)
            seconds["ddp"].append(two)
    if rank == 0:
        others = zip(whole * 2, averaged + summed, strict=True)
        apart = max((one - two).abs().max().item() for one, two in others)
        return {"seconds": seconds, "gradient_difference": apart, "batch": BATCH, "steps": STEPS, "ranks": RANKS}


def main():
    """Run the ranks and write what rank 0 measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the result is written")
    parser.add_argument("--limit", type=float, default=100.0, help="seconds for everything, starts included")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    path = arguments.folder / "ddp_speed.json"
    path.unlink(missing_ok=True)  # one of an earlier run would be taken for this one's
    if not dist.is_available() or not dist.is_gloo_available():
        sys.exit("This torch was built without torch.distributed or without gloo: nothing to measure with.")
    try:
        result, _ = run_ranks(measure, RANKS, timeout=arguments.limit)
    except RankError as error:
        if error.kind == "too slow":
            print(f"Not finished within {arguments.limit:g} s: this machine is busy, or slow.", file=sys.stderr)
            sys.exit(3)
        sys.exit(f"{error.trace}\n{error}; the other was ended.")
    path.write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main()
