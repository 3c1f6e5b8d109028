"""What the ways to all-reduce have in common: which tensors they take, and how two are combined."""

from collections.abc import Sequence

import torch
import torch.distributed as dist

OPS = {dist.ReduceOp.SUM: "sum", dist.ReduceOp.AVG: "mean", dist.ReduceOp.MAX: "max"}  # as messages call them
DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64)
PIECE = 2**22  # bytes: what arrives in such pieces needs little memory and is in a cache when it is added

Op = dist.ReduceOp.RedOpType


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
