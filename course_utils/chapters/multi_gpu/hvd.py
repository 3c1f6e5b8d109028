"""Horovod's four ideas over `torch.distributed`: join, begin equal, average during backward, one launcher.

Called as Horovod is: `from course_utils.chapters.multi_gpu import hvd` in place of `import horovod.torch as hvd`;
torchrun is the launcher. Left out: Horovod agrees by name, at run time, on what is ready everywhere, and sends
small tensors together. Here every rank sends each gradient by itself, in one order that is fixed beforehand.
"""

import os
from collections import Counter
from contextlib import nullcontext

import torch
import torch.distributed as dist

rank, size = dist.get_rank, dist.get_world_size


class _Cast:
    """A Horovod compressor: `compress` gives what travels, and what `decompress` needs to undo it."""

    def __init__(self, dtype=None):
        self.dtype = dtype

    def compress(self, tensor):
        return tensor.to(self.dtype) if self.dtype and tensor.is_floating_point() else tensor, tensor.dtype

    def decompress(self, tensor, dtype):
        return tensor.to(dtype)


class Compression:
    """What travels: tensors as they are, or in 16 bits, where a sum beyond 65,504 becomes inf, as in Horovod."""

    none, fp16 = _Cast(), _Cast(torch.float16)


def init():
    """Join the process group that is there, or the one that torchrun describes; without either, be alone."""
    if not dist.is_initialized():
        alone = {} if "RANK" in os.environ else {"store": dist.HashStore(), "rank": 0, "world_size": 1}
        dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo", **alone)


def shutdown():
    """Leave the process group, all ranks together; without one, nothing happens."""
    if dist.is_initialized():
        dist.barrier()  # a process that ends while a thread of gloo's still holds a tensor may be aborted
        dist.destroy_process_group()


def local_rank():
    """The rank among the processes of this machine; without torchrun, all are taken to be on this one."""
    return int(os.environ.get("LOCAL_RANK", rank()))


def local_size():
    """How many ranks run on this machine; without torchrun, all are taken to."""
    return int(os.environ.get("LOCAL_WORLD_SIZE", size()))


def broadcast_parameters(params, root_rank):
    """Overwrite each tensor of a `state_dict()`, or of pairs (name, tensor), with the one of `root_rank`."""
    for _, tensor in sorted(params.items()) if isinstance(params, dict) else params:
        sent = tensor.detach().contiguous()
        dist.broadcast(sent, src=root_rank)
        tensor.detach().copy_(sent)


def broadcast_optimizer_state(optimizer, root_rank):
    """Give every rank's optimizer the state of `root_rank`'s: momenta, step counts, learning rates."""
    state = [optimizer.state_dict()]
    dist.broadcast_object_list(state, src=root_rank)
    optimizer.load_state_dict(state[0])


def allreduce(tensor, name=None, *, compression=Compression.none):
    """The ranks' average of a floating-point tensor, a new one. Calls match by their order; Horovod's by `name`."""
    sent, dtype = compression.compress(tensor.detach().clone(memory_format=torch.contiguous_format))
    dist.all_reduce(sent)
    return compression.decompress(sent.div_(size()), dtype)


def DistributedOptimizer(
    optimizer, named_parameters=None, *, compression=Compression.none, backward_passes_per_step=1
):
    """The same optimizer, which now averages over all ranks: gradients leave during backward, `step()` awaits them.

    With `backward_passes_per_step` above 1 each rank adds its gradients up, and the sums are averaged. A gradient
    that a rank lacks counts as zeros. Raises `ValueError` where `named_parameters` lacks one of the optimizer's.
    """
    known = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    names = {parameter: name for name, parameter in named_parameters or enumerate(known)}
    if unnamed := sum(parameter not in names for parameter in known):
        raise ValueError(f"named_parameters lacks {unnamed} of the optimizer's {len(known)}: name all of them.")
    # Its class changes, not the object: its state, and every reference to it, stay what they are.
    optimizer.__class__ = type(type(optimizer).__name__, (_Averaging, type(optimizer)), {})
    optimizer._names, optimizer._compression, optimizer._passes = names, compression, backward_passes_per_step
    # Backward reaches the last layers first. The order is the same on every rank, whatever each reaches first.
    optimizer._order = [parameter for parameter in reversed(known) if parameter.requires_grad]
    optimizer._seen, optimizer._flying, optimizer._averaged = Counter(), {}, False
    for parameter in optimizer._order:
        parameter.register_post_accumulate_grad_hook(optimizer._ready)
    return optimizer


class _Averaging:
    """What DistributedOptimizer puts before an optimizer's own methods."""

    def _ready(self, parameter):
        """Backward has added to a gradient: send every one that is complete and whose turn has come."""
        if self._seen[parameter] == self._passes:
            raise RuntimeError(
                f"A further gradient of {self._names[parameter]!r} before step(), due after {self._passes}"
                " backward: raise backward_passes_per_step to add up more. What this step has gathered is spoilt."
            )
        self._seen[parameter] += 1
        for waiting in self._order[len(self._flying) :]:
            if self._seen[waiting] < self._passes:
                break
            self._send(waiting)

    def _send(self, parameter):
        if parameter.grad is None:  # not used by this rank; another may have used it
            parameter.grad = torch.zeros_like(parameter)
        sent, dtype = self._compression.compress(parameter.grad.contiguous())
        self._flying[parameter] = dist.all_reduce(sent, async_op=True), sent, dtype

    def synchronize(self):
        """Wait until every gradient is the average. Raises `RuntimeError` where no backward came before."""
        if not self._seen:
            raise RuntimeError("There is no gradient to average: step() needs a backward since the last step().")
        for parameter in self._order[len(self._flying) :]:
            self._send(parameter)
        for parameter, (work, sent, dtype) in self._flying.items():
            work.wait()
            parameter.grad.copy_(self._compression.decompress(sent.div_(size()), dtype))
        self._seen.clear()
        self._flying.clear()
        self._averaged = True

    def skip_synchronize(self):
        """What Horovod's users put around `step()` after `synchronize()`; here `step()` knows by itself."""
        return nullcontext()

    def step(self, closure=None):
        """The optimizer's own step, on averaged gradients. Raises as `synchronize`."""
        if not self._averaged:
            self.synchronize()
        self._averaged = False
        return super().step(closure)

    def zero_grad(self, set_to_none=True):
        """The optimizer's own. Raises `RuntimeError` while gradients are on their way."""
        if self._flying:
            raise RuntimeError("zero_grad() between backward and step(): call it after step(), or before backward.")
        super().zero_grad(set_to_none)
