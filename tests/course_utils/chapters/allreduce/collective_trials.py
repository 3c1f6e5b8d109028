"""Failures of collectives at random moments, tried many times; run by test_collective_failures.py.

`mixed` is a function for `run_ranks`: one set of ranks goes through all trials. As a program
(`python collective_trials.py SEED TRIALS`) it kills a rank in each trial, whose processes come from a server that
has imported torch already, and prints a JSON line.
"""

import contextlib
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist

from course_utils.chapters.allreduce.agreement import Agreement, CollectiveError
from course_utils.chapters.allreduce.collectives import all_reduce_naive, all_reduce_ring, all_reduce_tree
from course_utils.chapters.allreduce.shared_memory import SharedMemoryAllReduce

WAYS = (dist.all_reduce, all_reduce_naive, all_reduce_ring, all_reduce_tree)
RANKS, LIMIT = 3, 5.0  # seconds within which a rank must have raised


def mixed(rank, seed, trials, kind):
    """In each trial one rank, drawn at random, does something else than the others in one call, also drawn.

    `kind`: "order", "shape" or "dtype". For each trial (culprit, number of the bad call, sentence, seconds).
    """
    draw, own = random.Random(seed), random.Random(f"{seed} {rank}")
    agreement, found = Agreement(timeout=LIMIT), []
    with SharedMemoryAllReduce(0, timeout=LIMIT) as shared:
        for _ in range(trials):
            culprit, sound, length = draw.randrange(RANKS), draw.randrange(4), draw.randrange(1, 50)
            first, second = draw.sample(WAYS, 2)
            in_memory = draw.random() < 0.4
            for _ in range(sound):
                tensor = torch.ones(length)
                shared(tensor) if in_memory else agreement(draw.choice(WAYS), tensor)
                assert tensor.tolist() == [RANKS] * length
            time.sleep(own.random() / 100)
            is_other = rank == culprit
            if is_other and kind == "order":
                first, second = second, first
            tensor = torch.ones(length + (is_other and kind == "shape"))
            tensor = tensor.double() if is_other and kind == "dtype" else tensor
            began, said = time.monotonic(), None
            try:
                if not in_memory:
                    agreement(first, tensor)
                    agreement(second, tensor)
                else:  # of one kind of collective, two that do not fit: another operation
                    ops = [dist.ReduceOp.SUM, dist.ReduceOp.MAX]
                    for op in reversed(ops) if is_other and kind == "order" else ops:
                        shared(tensor, op=op)
            except (CollectiveError, ValueError) as error:
                said = str(error)
            calls = shared.calls if in_memory else agreement.calls
            found.append((culprit, calls, said, time.monotonic() - began))
    return found


def survivor(rank, folder, way, pipe):
    """All-reduces without end until one raises; tells the parent and leaves when it says so."""
    torch.set_num_threads(1)
    store = dist.FileStore(str(Path(folder) / "store"), RANKS)
    limit = timedelta(seconds=30)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=RANKS, timeout=limit)
    if way == len(WAYS):
        reduce = SharedMemoryAllReduce(0, timeout=LIMIT)
    else:
        agreement = Agreement(timeout=LIMIT)
        reduce = lambda tensor: agreement(WAYS[way], tensor)  # noqa: E731 (one of two)
    pipe.send("ready")
    began = time.monotonic()
    try:
        while True:
            began = time.monotonic()
            reduce(torch.ones(1000))
    except (CollectiveError, TimeoutError) as error:
        pipe.send((str(error), time.monotonic() - began))
    pipe.recv()
    os._exit(0)  # a group of which a rank has died cannot be taken down in order


def kill_one(seed, number):
    """One trial: which rank was killed, by what the others were reducing, and what each of them said."""
    draw = random.Random(f"{seed} {number}")
    victim, way, delay = draw.randrange(RANKS), draw.randrange(len(WAYS) + 1), draw.random() / 5
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    with tempfile.TemporaryDirectory() as folder:
        pipes = [context.Pipe() for _ in range(RANKS)]
        ranks = [context.Process(target=survivor, args=(r, folder, way, pipes[r][1])) for r in range(RANKS)]
        for process in ranks:
            process.start()
        said = {}
        try:
            for mine, _ in pipes:
                assert mine.poll(60) and mine.recv() == "ready"
            time.sleep(delay)
            ranks[victim].kill()
            for rank, (mine, _) in enumerate(pipes):
                if rank != victim:
                    said[rank] = mine.recv() if mine.poll(4 * LIMIT) else ("nothing", 4 * LIMIT)
            for rank, (mine, _) in enumerate(pipes):
                if rank != victim:
                    mine.send("go")
            codes = [process.join(20) or process.exitcode for process in ranks]
        finally:
            for process in ranks:
                with contextlib.suppress(ValueError):
                    process.kill()
                    process.join()
    name = (*(way.__name__ for way in WAYS), "shared memory")[way]
    return {"victim": victim, "way": name, "said": said, "codes": codes, "pids": [p.pid for p in ranks]}


def main(seed, trials):
    if "forkserver" in multiprocessing.get_all_start_methods():
        multiprocessing.set_forkserver_preload(["__main__", "torch.distributed"])
    with ThreadPoolExecutor(4) as several:
        print(json.dumps(list(several.map(lambda number: kill_one(seed, number), range(trials)))))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
