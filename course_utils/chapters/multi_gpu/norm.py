"""One gradient from many ranks, for chapter 10: with BatchNorm, without, and with BatchNorm over all ranks."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from course_utils.chapters.multi_gpu.ranks import share, small_model

SIZES = (1, 2, 4)


class SumOverRanks(torch.autograd.Function):
    """The sum over all ranks. Every rank's loss hangs on it, so its gradient is the sum of all ranks' gradients."""

    @staticmethod
    def forward(ctx, tensor, group):
        ctx.group, total = group, tensor.clone()
        dist.all_reduce(total, group=group)
        return total

    @staticmethod
    def backward(ctx, gradient):
        total = gradient.clone()
        dist.all_reduce(total, group=ctx.group)
        return total, None


class SyncedNorm(nn.BatchNorm1d):
    """BatchNorm of (N, C) whose mean and variance are those of all ranks' examples together."""

    def __init__(self, channels, *, group=None):
        super().__init__(channels)
        self.group = group

    def forward(self, inputs):
        if not self.training:
            return super().forward(inputs)
        length = torch.full_like(inputs[0], len(inputs))
        own = torch.stack([inputs.sum(0), inputs.square().sum(0), length])  # (3, C)
        total, squares, count = SumOverRanks.apply(own, self.group)
        mean = total / count
        variance = squares / count - mean.square()
        with torch.no_grad():
            self.running_mean.lerp_(mean, self.momentum)
            self.running_var.lerp_(variance * count / (count - 1), self.momentum)
            self.num_batches_tracked += 1
        return (inputs - mean) * (variance + self.eps).rsqrt() * self.weight + self.bias


def gradient(model, images, targets):
    """The gradient of the mean loss as one vector, in the model's dtype."""
    dtype = next(model.parameters()).dtype
    F.cross_entropy(model(images.to(dtype)), targets).backward()
    return torch.cat([parameter.grad.flatten() for parameter in model.parameters()])


def gradients(rank, images, targets):
    """This rank's gradient after DDP's average, by (name of the norm, dtype, ranks in the group).

    Groups of the first 1, 2 and 4 ranks work one after another on the same batch, in equal shares.
    """
    groups = {size: dist.new_group(list(range(size))) for size in SIZES}  # every rank calls it, member or not
    found = {}
    for size, group in groups.items():
        kinds = {
            ("none", torch.float32): None,
            ("none", torch.float64): None,
            ("BatchNorm", torch.float64): nn.BatchNorm1d(32),
            ("SyncedNorm", torch.float64): SyncedNorm(32, group=group),
        }
        for (name, dtype), norm in kinds.items() if rank < size else ():
            ddp = DistributedDataParallel(small_model(norm, dtype=dtype), process_group=group)
            found[name, dtype, size] = gradient(ddp, share(images, rank, size), share(targets, rank, size))
        dist.barrier()
    return found


def sync_batch_norm_here(rank):
    """What torch's own SyncBatchNorm says to a tensor on the CPU."""
    try:
        nn.SyncBatchNorm(3)(torch.ones(2, 3))
    except (ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    return "it runs on the CPU"
