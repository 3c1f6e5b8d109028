# Written by tools/export_cells.py from notebooks/11_allreduce.ipynb; change the notebook's cells.
"""All-reduce three ways over send and recv: every rank's tensor becomes the sum, mean or max over all.

Called like `dist.all_reduce`, in place; the errors are those of `reduction.check`. Each element is reduced at
one rank and copied from there, so that all ranks end with the same bits. Naive: rank 0 collects everything,
reduces in the order of the ranks and sends the result to each. Tree: up a binomial tree to rank 0 and down
again, about 2 log2 N rounds of whole tensors. Ring: `reduce_scatter` completes chunk r + 1 at rank r in N - 1
steps, `all_gather` hands the chunks on in N - 1 more; each rank sends 2 (N - 1) / N of the tensor, and what is
added travels in pieces of `PIECE` bytes. Source: P. Patarasuk and X. Yuan, Bandwidth optimal all-reduce
algorithms for clusters of workstations, 2009.
"""

import torch
import torch.distributed as dist

from course_utils.chapters.allreduce.reduction import (  # chapter 11 imports all five from here
    PIECE,
    check,
    combine,
    finish,
    reduce_into,  # noqa: F401
)


def all_reduce_naive(tensor, *, op=dist.ReduceOp.SUM, group=None):
    check(tensor, op)
    rank, world_size = dist.get_rank(group), dist.get_world_size(group)
    flat = tensor.detach().contiguous().view(-1)  # a view, or a copy where the elements do not lie in a row
    if rank > 0:
        dist.send(flat, group_dst=0, group=group)
        dist.recv(flat, group_src=0, group=group)
    else:
        inbox = torch.empty_like(flat)
        for other in range(1, world_size):
            dist.recv(inbox, group_src=other, group=group)
            combine(flat, inbox, op)
        for other in range(1, world_size):
            dist.send(flat, group_dst=other, group=group)
    finish(tensor, flat, op, world_size)


def all_reduce_tree(tensor, *, op=dist.ReduceOp.SUM, group=None):
    check(tensor, op)
    rank, world_size = dist.get_rank(group), dist.get_world_size(group)
    flat = tensor.detach().contiguous().view(-1)
    inbox = torch.empty_like(flat)
    distances = [2**level for level in range((world_size - 1).bit_length())]
    for distance in distances:  # up: 1 to 0, 3 to 2, ...; then 2 to 0, 6 to 4, ...
        if rank % (2 * distance) == distance:
            dist.send(flat, group_dst=rank - distance, group=group)
        elif rank % (2 * distance) == 0 and rank + distance < world_size:
            dist.recv(inbox, group_src=rank + distance, group=group)
            combine(flat, inbox, op)
    for distance in reversed(distances):  # down: the same pairs, the other way
        if rank % (2 * distance) == distance:
            dist.recv(flat, group_src=rank - distance, group=group)
        elif rank % (2 * distance) == 0 and rank + distance < world_size:
            dist.send(flat, group_dst=rank + distance, group=group)
    finish(tensor, flat, op, world_size)


def reduce_scatter(chunks, op, group):
    rank, world_size = dist.get_rank(group), dist.get_world_size(group)
    right, left = (rank + 1) % world_size, (rank - 1) % world_size
    most = PIECE // chunks[0].element_size()
    inbox = torch.empty_like(chunks[0][:most])
    for step in range(world_size - 1):
        pieces = chunks[(rank - step) % world_size].split(most)
        sending = [dist.isend(piece, group_dst=right, group=group) for piece in pieces]
        for mine in chunks[(rank - step - 1) % world_size].split(most):
            arrived = inbox[: len(mine)]
            dist.recv(arrived, group_src=left, group=group)
            combine(mine, arrived, op)
        for work in sending:
            work.wait()


def all_gather(chunks, group):
    rank, world_size = dist.get_rank(group), dist.get_world_size(group)
    right, left = (rank + 1) % world_size, (rank - 1) % world_size
    for step in range(world_size - 1):
        sending = dist.isend(chunks[(rank - step + 1) % world_size], group_dst=right, group=group)
        dist.recv(chunks[(rank - step) % world_size], group_src=left, group=group)
        sending.wait()


def all_reduce_ring(tensor, *, op=dist.ReduceOp.SUM, group=None):
    check(tensor, op)
    flat, world_size = tensor.detach().contiguous().view(-1), dist.get_world_size(group)
    chunks = flat.tensor_split(world_size)  # some are empty where elements are few
    reduce_scatter(chunks, op, group)
    all_gather(chunks, group)
    finish(tensor, flat, op, world_size)
