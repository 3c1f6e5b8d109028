"""Programs that fail between ranks, played by the threads of one process."""

import datetime
import socket
import threading

import torch
import torch.distributed as dist


def ranks(count, seconds):
    """Process groups of `count` ranks of this process that wait at most `seconds`."""
    store, groups = dist.HashStore(), [None] * count

    def join(rank):
        groups[rank] = dist.ProcessGroupGloo(store, rank, count, datetime.timedelta(seconds=seconds))

    threads = [threading.Thread(target=join, args=(rank,)) for rank in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return groups


def deadlock__one_rank_reduces():
    first, _second = ranks(2, 0.3)
    gradient = torch.ones(1000)
    first.allreduce([gradient]).wait()


def deadlock__one_of_three_waits_for_a_message():
    groups = ranks(3, 0.2)
    groups[2].recv([torch.zeros(4)], 0, 0).wait()


def port_in_use__store():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        dist.TCPStore("127.0.0.1", taken.getsockname()[1], is_master=True, wait_for_workers=False)


def port_in_use__init():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        dist.init_process_group("gloo", init_method=address, rank=0, world_size=1)


def no_init__no_process_group():
    dist.all_reduce(torch.ones(1))
