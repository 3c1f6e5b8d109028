"""Ways to break a collective, which chapter 11 tries on two ranks: `function(rank)`, for `run_ranks`."""

import os
import signal

import torch
import torch.distributed as dist

from course_utils.chapters.allreduce.agreement import Agreement


def plainly(collective, tensor, **options):
    """The call itself, without any check before it."""
    return collective(tensor, **options)


def dies(rank):
    """Rank 1 is gone before its third all-reduce, as if the system had killed it; rank 0 does not know."""
    for step in range(1, 6):
        if rank == 1 and step == 3:
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        dist.all_reduce(torch.ones(4))


def other_shape(rank, call=plainly):
    """Four numbers meet six."""
    call(dist.all_reduce, torch.ones(4 if rank == 0 else 6))


def other_dtype(rank, call=plainly):
    """float32 meets int32, of the same size; what each rank gets."""
    tensor = torch.ones(2, dtype=torch.float32 if rank == 0 else torch.int32)
    call(dist.all_reduce, tensor)
    return tensor.tolist()


def other_order(rank, call=plainly):
    """Two tensors of one shape, reduced in opposite orders: a is 1 and 2, b is 100 and 200; this rank's sums."""
    a, b = torch.tensor([1.0 + rank]), torch.tensor([100.0 + 100 * rank])
    for tensor in (a, b) if rank == 0 else (b, a):
        call(dist.all_reduce, tensor)
    return {"a": a.item(), "b": b.item()}


def other_call(rank, call=plainly):
    """One rank reduces first and the other broadcasts first."""
    tensor = torch.ones(4)
    for collective in (dist.all_reduce, dist.broadcast) if rank == 0 else (dist.broadcast, dist.all_reduce):
        call(collective, tensor, **({"src": 0} if collective is dist.broadcast else {}))


def in_turn(rank, checked, *functions):
    """{name: what it returned, or the error it raised, as text} of several of the above in one launch.

    `checked`: through an `Agreement`.
    """
    found, call = {}, Agreement() if checked else plainly
    for function in functions:
        try:
            found[function.__name__] = str(function(rank, call))
        except Exception as error:  # noqa: BLE001 - whatever it raises is what is asked for
            found[function.__name__] = f"{type(error).__name__}: {error}"
    return found
