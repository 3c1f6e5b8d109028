"""All-reduce three ways over send and recv: every rank's tensor is replaced by the sum, mean or max over all ranks.

Each element is reduced at one rank and copied from there, so that all ranks end with the same bits. Chapter 11
defines these ways in its cells; a test holds the two to the same code.
"""

from collections.abc import Sequence

import torch
import torch.distributed as dist

OPS = {dist.ReduceOp.SUM: "sum", dist.ReduceOp.AVG: "mean", dist.ReduceOp.MAX: "max"}  # as messages call them
DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64)
PIECE = 2**22  # bytes: what arrives in such pieces needs little memory and is in a cache when it is added

Op = dist.ReduceOp.RedOpType
Group = dist.ProcessGroup | None


def all_reduce_naive(tensor: torch.Tensor, *, op: Op = dist.ReduceOp.SUM, group: Group = None) -> None:
    """Collect everything at rank 0, which reduces in the order of the ranks and sends the result to each.

    In place, like `dist.all_reduce`. Errors: see `check`.
    """
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


def all_reduce_tree(tensor: torch.Tensor, *, op: Op = dist.ReduceOp.SUM, group: Group = None) -> None:
    """Reduce up a binomial tree to rank 0 and send down again: about 2 log2 N rounds of whole tensors.

    In place, like `dist.all_reduce`. Errors: see `check`.
    """
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


def reduce_scatter(chunks: Sequence[torch.Tensor], op: Op, group: Group) -> None:
    """Reduce one chunk completely at each rank, in N - 1 steps: chunk r + 1 at rank r. In place.

    `chunks`: N views of this rank's flat tensor, the longest first; they travel in pieces of `PIECE` bytes.
    """
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


def all_gather(chunks: Sequence[torch.Tensor], group: Group) -> None:
    """Carry the complete chunks around, in N - 1 steps; rank r begins with chunk r + 1. In place."""
    rank, world_size = dist.get_rank(group), dist.get_world_size(group)
    right, left = (rank + 1) % world_size, (rank - 1) % world_size
    for step in range(world_size - 1):
        sending = dist.isend(chunks[(rank - step + 1) % world_size], group_dst=right, group=group)
        dist.recv(chunks[(rank - step) % world_size], group_src=left, group=group)
        sending.wait()


def all_reduce_ring(tensor: torch.Tensor, *, op: Op = dist.ReduceOp.SUM, group: Group = None) -> None:
    """Send chunks around a ring: N - 1 steps add them up, N - 1 steps hand the sums on; all ranks always work.

    In place, like `dist.all_reduce`. Each rank sends 2 (N - 1) / N of the tensor, in 2 (N - 1) messages, or more
    where a chunk is larger than `PIECE`: chunks to be added travel in pieces. Errors: see `check`.
    Source: P. Patarasuk and X. Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009.
    """
    check(tensor, op)
    flat, world_size = tensor.detach().contiguous().view(-1), dist.get_world_size(group)
    chunks = flat.tensor_split(world_size)  # some are empty where elements are few
    reduce_scatter(chunks, op, group)
    all_gather(chunks, group)
    finish(tensor, flat, op, world_size)


def combine(into: torch.Tensor, other: torch.Tensor, op: Op) -> None:
    """Add `other` to `into`, or take the larger of each pair; a NaN stays a NaN. Equal shapes and dtypes."""
    if op == dist.ReduceOp.MAX:
        torch.maximum(into, other, out=into)
    else:
        into.add_(other)


def reduce_into(into: torch.Tensor, tensors: Sequence[torch.Tensor], op: Op) -> None:
    """Write the sum, mean or max of `tensors`, in their order, to `into`, which may be one of the first two.

    All of one shape and dtype.
    """
    combined = torch.maximum if op == dist.ReduceOp.MAX else torch.add
    if len(tensors) == 1:
        into.copy_(tensors[0])
    else:
        combined(tensors[0], tensors[1], out=into)
    for tensor in tensors[2:]:
        combined(into, tensor, out=into)
    if op == dist.ReduceOp.AVG:
        into.div_(len(tensors))


def finish(tensor: torch.Tensor, flat: torch.Tensor, op: Op, world_size: int) -> None:
    """Divide a sum that is to be a mean, and write a result back that was worked out in a copy."""
    if op == dist.ReduceOp.AVG:
        flat.div_(world_size)
    if flat.data_ptr() != tensor.data_ptr():
        tensor.detach().copy_(flat.view_as(tensor))


def check(tensor: torch.Tensor, op: Op) -> None:
    """Refuse what no algorithm here can do: ValueError for `op` or the place, TypeError for the dtype."""
    if op not in OPS:
        raise ValueError(f"op={op!r} is not known here: choose one of dist.ReduceOp.SUM, .AVG, .MAX")
    if tensor.device.type != "cpu":
        raise ValueError(f"the tensor is on {tensor.device}: these ranks talk over the CPU, call .cpu() first")
    if tensor.dtype not in DTYPES:
        names = ", ".join(str(dtype).removeprefix("torch.") for dtype in DTYPES)
        raise TypeError(f"a tensor of {tensor.dtype} is not reduced here: convert it to one of {names}")
    if op == dist.ReduceOp.AVG and not tensor.is_floating_point():
        advice = "take dist.ReduceOp.SUM and divide as you need, or convert it to float first"
        raise TypeError(f"the mean of {tensor.dtype} is no whole number in general: {advice}")
    if any(size > 1 and stride == 0 for size, stride in zip(tensor.shape, tensor.stride(), strict=True)):
        raise ValueError("the tensor was expanded: several elements share one place, clone it before reducing")
