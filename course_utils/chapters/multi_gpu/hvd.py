"""Horovod's four ideas over `torch.distributed`: join, begin equal, average during backward, one launcher.

Called as Horovod is: `from course_utils.chapters.multi_gpu import hvd` in place of `import horovod.torch as hvd`;
torchrun is the launcher. Left out: Horovod agrees by name, at run time, on what is ready everywhere, and sends
small tensors together. Here every rank sends each gradient by itself, in one order that is fixed beforehand.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext

import torch
import torch.distributed as dist
from torch import Tensor

rank, size = dist.get_rank, dist.get_world_size


class _Cast:
    """A Horovod compressor. `dtype`: what floating-point tensors travel in; None: as they are."""

    def __init__(self, dtype: torch.dtype | None = None):
        self.dtype = dtype

    def compress(self, tensor: Tensor) -> tuple[Tensor, torch.dtype]:
        """Return what travels, and what `decompress` needs to undo it."""
        if self.dtype is None or not tensor.is_floating_point():
            return tensor, tensor.dtype
        return tensor.to(self.dtype), tensor.dtype

    def decompress(self, tensor: Tensor, dtype: torch.dtype) -> Tensor:
        """Return the tensor in the dtype it had before `compress`."""
        return tensor.to(dtype)


class Compression:
    """What travels: tensors as they are, or in 16 bits, where a sum beyond 65,504 becomes inf, as in Horovod."""

    none, fp16 = _Cast(), _Cast(torch.float16)


def init() -> None:
    """Join the process group that is there, or the one that torchrun describes; without either, be alone."""
    if not dist.is_initialized():
        alone = {} if "RANK" in os.environ else {"store": dist.HashStore(), "rank": 0, "world_size": 1}
        dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo", **alone)


def shutdown() -> None:
    """Leave the process group, all ranks together; without one, nothing happens."""
    if dist.is_initialized():
        dist.barrier()  # a process that ends while a thread of gloo's still holds a tensor may be aborted
        dist.destroy_process_group()


def local_rank() -> int:
    """Return the rank among the processes of this machine; without torchrun, all are taken to be on this one."""
    return int(os.environ.get("LOCAL_RANK", rank()))


def local_size() -> int:
    """Return how many ranks run on this machine; without torchrun, all are taken to."""
    return int(os.environ.get("LOCAL_WORLD_SIZE", size()))


def broadcast_parameters(params: Mapping[str, Tensor] | Iterable[tuple[str, Tensor]], root_rank: int) -> None:
    """Overwrite each tensor of a `state_dict()`, or of pairs (name, tensor), with the one of `root_rank`."""
    pairs = sorted(params.items()) if isinstance(params, Mapping) else params
    for _, tensor in pairs:
        sent = tensor.detach().contiguous()
        dist.broadcast(sent, src=root_rank)
        tensor.detach().copy_(sent)


def broadcast_optimizer_state(optimizer: torch.optim.Optimizer, root_rank: int) -> None:
    """Give every rank's optimizer the state of `root_rank`'s: momenta, step counts, learning rates."""
    state = [optimizer.state_dict()]
    dist.broadcast_object_list(state, src=root_rank)
    optimizer.load_state_dict(state[0])


def allreduce(tensor: Tensor, name: str | None = None, *, compression: _Cast = Compression.none) -> Tensor:
    """Return the ranks' average of a floating-point tensor, a new one.

    Shape, dtype and device are the tensor's. Calls of the ranks match by their order; Horovod's by `name`.
    """
    sent, dtype = compression.compress(tensor.detach().clone(memory_format=torch.contiguous_format))
    dist.all_reduce(sent)
    return compression.decompress(sent.div_(size()), dtype)


def DistributedOptimizer(
    optimizer: torch.optim.Optimizer,
    named_parameters: Iterable[tuple[str, Tensor]] | None = None,
    *,
    compression: _Cast = Compression.none,
    backward_passes_per_step: int = 1,
) -> torch.optim.Optimizer:
    """Return the same optimizer, made to average over all ranks: gradients leave during backward, `step()` waits.

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

    def synchronize(self) -> None:
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

    def skip_synchronize(self) -> AbstractContextManager[None]:
        """Return what Horovod's users put around `step()` after `synchronize()`; here `step()` knows by itself."""
        return nullcontext()

    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Take the optimizer's own step, on averaged gradients; return what it returns. Raises as `synchronize`."""
        if not self._averaged:
            self.synchronize()
        self._averaged = False
        return super().step(closure)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients as the optimizer does. Raises `RuntimeError` while they are on their way."""
        if self._flying:
            raise RuntimeError("zero_grad() between backward and step(): call it after step(), or before backward.")
        super().zero_grad(set_to_none)
