"""Data parallel training of one's own: gradients travel in buckets while the backward pass goes on.

Chapter 11 defines these classes in its cells; a test holds the two to the same code.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.distributed as dist
from torch import nn


def in_buckets(module: nn.Module, bucket_cap_mb: float, *, first_cap_mb: float = 1) -> list[list[nn.Parameter]]:
    """Return the trainable parameters as lists, each full at `bucket_cap_mb` MiB, one dtype and device a list.

    The last of the model come first, because the backward pass completes their gradients first. The first list is
    full at `first_cap_mb` MiB where that is less; the last one holds what is left.
    """
    buckets, size = [], 0
    for parameter in reversed([p for p in module.parameters() if p.requires_grad]):
        cap = min(first_cap_mb, bucket_cap_mb) if len(buckets) == 1 else bucket_cap_mb
        kind = parameter.dtype, parameter.device
        if not buckets or size >= cap * 2**20 or kind != (buckets[-1][0].dtype, buckets[-1][0].device):
            buckets, size = [*buckets, []], 0
        buckets[-1].append(parameter)
        size += parameter.nbytes
    return buckets


class Bucket:
    """Gradients that travel together: one flat tensor, and a view of it in the shape of each parameter."""

    def __init__(self, parameters: list[nn.Parameter]):
        self.parameters, sizes = parameters, [p.numel() for p in parameters]
        self.flat = torch.zeros(sum(sizes), dtype=parameters[0].dtype, device=parameters[0].device)
        self.views = {p: part.view_as(p) for p, part in zip(parameters, self.flat.split(sizes), strict=True)}
        self.work = None
        self.reset()

    def reset(self) -> None:
        """Wait for what is under way, which still writes into `flat`; then every gradient is missing again."""
        if self.work is not None:
            self.work.wait()
        self.missing, self.work = set(self.parameters), None

    def hand_back(self) -> None:
        """Wait for the means and write them to the parameters' gradients."""
        self.reset()
        for parameter, view in self.views.items():
            parameter.grad.copy_(view)


class BucketQueue:
    """Buckets that leave as they fill, in the order of the list: the order of filling may differ between ranks.

    `trace`: None, or a list that gets (event, bucket or None, `time.perf_counter()` in seconds): "launched" and
    "arrived" for each bucket, "backward done" and "averaged" for each pass. Without `overlap` all leave at the end.
    """

    def __init__(
        self,
        module: nn.Module,
        bucket_cap_mb: float,
        group: dist.ProcessGroup | None,
        trace: list | None,
        overlap: bool,
    ):
        self.names = {parameter: name for name, parameter in module.named_parameters()}
        self.buckets = [Bucket(parameters) for parameters in in_buckets(module, bucket_cap_mb)]
        self.home = {parameter: bucket for bucket in self.buckets for parameter in bucket.parameters}
        self.group, self.trace, self.overlap = group, trace, overlap
        self.reset()

    def reset(self) -> None:
        """Forget a backward pass."""
        self.launched, self.begun = 0, False
        for bucket in self.buckets:
            bucket.reset()

    def launch(self) -> None:
        """Begin the all-reduce of each bucket that is full and whose turn it is, without waiting for its end."""
        while self.launched < len(self.buckets) and not self.buckets[self.launched].missing:
            number, bucket = self.launched, self.buckets[self.launched]
            self.note("launched", number)
            bucket.work = dist.all_reduce(bucket.flat, group=self.group, async_op=True)
            if self.trace is not None:
                bucket.work.get_future().add_done_callback(lambda _, number=number: self.note("arrived", number))
            self.launched += 1

    def note(self, event: str, number: int | None = None) -> None:
        """Add a line to the trace."""
        if self.trace is not None:
            self.trace.append((event, number, time.perf_counter()))


class Reducer(BucketQueue):
    """What autograd calls: `ready` for each gradient that is complete, `finish` when the backward pass is over."""

    def ready(self, parameter: nn.Parameter) -> None:
        """Copy a gradient into its bucket, times 1 / N, and send off what is full."""
        if not self.begun:
            self.begun = True
            torch.autograd.Variable._execution_engine.queue_callback(self.finish)
        bucket = self.home[parameter]
        torch.mul(parameter.grad, 1 / dist.get_world_size(self.group), out=bucket.views[parameter])
        bucket.missing.discard(parameter)
        if self.overlap:
            self.launch()

    def finish(self) -> None:
        """Wait for the means and hand them back. RuntimeError where a parameter got no gradient."""
        self.note("backward done")
        self.launch()
        missing = {parameter for bucket in self.buckets for parameter in bucket.missing}
        for bucket in self.buckets[: self.launched]:
            bucket.hand_back()
        self.reset()
        if missing:
            names = [name for parameter, name in self.names.items() if parameter in missing]
            raise RuntimeError(
                f"No gradient for {len(names)} of {len(self.home)} parameters ({', '.join(names)}): their "
                "buckets never filled, and those behind them never left. Let the loss use every parameter, or "
                "freeze those it does not need with requires_grad_(False) before wrapping."
            )
        self.note("averaged")


class OwnDDP(nn.Module):
    """A model whose gradients are the mean over all ranks when `backward()` returns.

    `bucket_cap_mb`: MiB at which a bucket is full, as torch's own; the first to fill is full at 1 MiB, so that
    something travels early. `trace`, `overlap`: see `BucketQueue`. Parameters and buffers are those of the group's
    rank 0 from the start; buffers are not sent again, as torch's own does at each forward pass. RuntimeError at the
    end of a backward pass that left a parameter without a gradient.
    """

    def __init__(
        self,
        module: nn.Module,
        *,
        bucket_cap_mb: float = 25,
        group: dist.ProcessGroup | None = None,
        trace: list | None = None,
        overlap: bool = True,
    ):
        super().__init__()
        self.module, self.synced = module, True
        for tensor in [*module.parameters(), *module.buffers()]:
            dist.broadcast(tensor.detach(), group=group, group_src=0)
        self.reducer = Reducer(module, bucket_cap_mb, group, trace, overlap)
        for parameter in self.reducer.home:
            parameter.register_post_accumulate_grad_hook(lambda p: self.reducer.ready(p) if self.synced else None)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the model gives; a backward pass that broke off before is forgotten."""
        self.reducer.reset()
        return self.module(*args, **kwargs)

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Keep the gradients of backward passes in here on their rank; they add up, and the next one averages."""
        self.synced = False
        try:
            yield
        finally:
            self.synced = True
