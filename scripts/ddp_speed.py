"""Trains one net two ways in turns: one process with two threads, and DDP with two processes of one thread each.

`python scripts/ddp_speed.py FOLDER` writes FOLDER/ddp_speed.json: seconds of each way in every round, and the
largest difference between the gradients that both ways give for the same batch. CPU and gloo; the two processes
meet in a file of FOLDER. When a process fails (code 1) or the time is over (code 3), nothing is left running.
"""

import argparse
import json
import multiprocessing
import os
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

BATCH, STEPS, ROUNDS, RANKS = 128, 6, 7, 2


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
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    first, start = None, time.perf_counter()
    for _ in range(STEPS):
        optimizer.zero_grad()
        F.cross_entropy(model(inputs), targets).backward()
        if first is None:
            first = [parameter.grad.clone() for parameter in model.parameters()]
        optimizer.step()
    return time.perf_counter() - start, first


def rank_main(rank, folder):
    """What each process does; rank 0 measures and writes the result."""
    end_with_parent()
    store = dist.FileStore(str(folder / "meeting_point"), RANKS)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=RANKS, timeout=timedelta(seconds=60))
    inputs = torch.randn(BATCH, 1, 28, 28, generator=torch.Generator().manual_seed(1))
    targets = torch.arange(BATCH) % 10
    share = slice(rank * BATCH // RANKS, (rank + 1) * BATCH // RANKS)
    seconds = {"one_process": [], "ddp": []}
    for turn in range(ROUNDS + 1):  # the first round warms up
        alone, shared = net(), DistributedDataParallel(net())
        dist.barrier()
        if rank == 0:  # the other one waits at the barrier, and leaves its core to the second thread
            one, whole = train(alone, inputs, targets, threads=RANKS)
        dist.barrier()
        two, averaged = train(shared, inputs[share], targets[share], threads=1)
        dist.barrier()
        if rank == 0 and turn:
            seconds["one_process"].append(one)
            seconds["ddp"].append(two)
    if rank == 0:
        apart = max((a - b).abs().max().item() for a, b in zip(whole, averaged, strict=True))
        result = {"seconds": seconds, "gradient_difference": apart, "batch": BATCH, "steps": STEPS, "ranks": RANKS}
        (folder / "ddp_speed.json").write_text(json.dumps(result), encoding="utf-8")
    dist.barrier()
    dist.destroy_process_group()


def end_with_parent():
    """End this process as soon as its parent is gone, however that happened."""
    parent = multiprocessing.parent_process()

    def watch():
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main():
    """Start the ranks, wait for them, end all of them when one fails or the time is over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the result and the meeting point are written")
    parser.add_argument("--limit", type=float, default=100.0, help="seconds for everything, starts included")
    arguments = parser.parse_args()
    until = time.monotonic() + arguments.limit
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for left in ("meeting_point", "ddp_speed.json"):
        (folder / left).unlink(missing_ok=True)  # a file store of an earlier run would be taken for this one's
    if not dist.is_available() or not dist.is_gloo_available():
        sys.exit("This torch was built without torch.distributed or without gloo: nothing to measure with.")
    if sys.platform in ("linux", "darwin"):  # both ranks are here: no other network is needed, or even there
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo" if sys.platform == "linux" else "lo0")
    context = multiprocessing.get_context("spawn")
    ranks = [context.Process(target=rank_main, args=(rank, folder), daemon=True) for rank in range(RANKS)]
    try:
        for process in ranks:
            process.start()
        while any(process.exitcode is None for process in ranks):
            if any(process.exitcode for process in ranks):
                break
            if time.monotonic() > until:
                print(f"Not finished within {arguments.limit:g} s: this machine is busy, or slow.", file=sys.stderr)
                sys.exit(3)
            time.sleep(0.05)
        if failed := [number for number, process in enumerate(ranks) if process.exitcode]:
            sys.exit(f"rank {failed[0]} failed, see above; the other was ended.")
    finally:
        for process in ranks:
            if process.pid is not None:
                process.kill()
                process.join()
        (folder / "meeting_point").unlink(missing_ok=True)


if __name__ == "__main__":
    main()
