"""What the ranks of test_launch.py run; in a module, since a rank imports what it is handed."""

import multiprocessing.shared_memory
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy
import torch
import torch.distributed as dist


def everything(rank, tensor, word):
    """A collective, every kind of result, and the state that a rank starts in."""
    print(f"{word} from {rank}")
    total = tensor + rank
    dist.all_reduce(total)
    weight = torch.nn.Parameter(torch.full((2,), float(rank)))
    return {
        "total": total,
        "view": torch.arange(1000.0)[rank : rank + 2],
        "strided": torch.arange(6.0).reshape(2, 3).t(),
        "bfloat16": torch.ones(2, dtype=torch.bfloat16),
        "weight": weight,
        "not a leaf": weight * 2,
        "shared": torch.zeros(3).share_memory_(),
        "threads": torch.get_num_threads(),
        "group": (dist.get_rank(), dist.get_world_size(), dist.get_backend()),
    }


def nothing(rank):
    """The smallest rank."""
    return rank


def drawn(rank):
    """What each source of random numbers gives that nobody has seeded."""
    return torch.rand(1).item(), random.random(), numpy.random.rand()


def first(rank, things):
    return things[0]


def nothing_of(rank, thing):
    pass


def raise_at(rank, number):
    """One rank raises while the others wait for it."""
    if rank == number:
        raise ValueError(f"rank {number} is wrong")
    dist.all_reduce(torch.ones(3))


def die_at(rank, number, how):
    """One rank dies, by a signal or an exit; the others lose their connection to it and would raise."""
    dist.barrier()
    if rank == number:
        if how == "exit":
            os._exit(7)
        os.kill(os.getpid(), how)
    dist.all_reduce(torch.ones(3))


def leave_early(rank):
    """Rank 0 returns without the collective that the others are in."""
    if rank > 0:
        dist.all_reduce(torch.ones(3))


def with_company(rank, folder):
    """Starts a grandchild and a thread, makes a segment, then rank 1 fails; tells the folder what there was."""
    grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
    segment = multiprocessing.shared_memory.SharedMemory(create=True, size=4096)
    (Path(folder) / f"{rank}.segment").write_text(segment.name, encoding="utf-8")
    (Path(folder) / f"{rank}.pid").write_text(str(grandchild.pid), encoding="utf-8")
    threading.Thread(target=time.sleep, args=(100,)).start()
    dist.barrier()
    if rank == 1:
        raise OSError("with company")
    time.sleep(100)


def unpicklable(rank):
    return threading.Lock()


def wait_for_ever(rank, folder):
    (Path(folder) / f"{rank}.up").touch()
    time.sleep(100)


def draw(rank):
    """What lives on between two runs of a pool: the process, its generators, its group; and what does not."""
    threads = torch.get_num_threads()
    torch.set_num_threads(3)
    total = torch.ones(1)
    dist.all_reduce(total)
    return {"pid": os.getpid(), "drawn": torch.rand(1).item(), "total": total.item(), "threads": threads}


def speak(rank, word):
    print(word)
    print(f"{word}!", file=sys.stderr)


def pid(rank):
    return os.getpid()


def slow(rank, seconds):
    time.sleep(seconds)
    return rank
