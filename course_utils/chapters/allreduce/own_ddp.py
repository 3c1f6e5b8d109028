"""Data parallel training of one's own: gradients travel in buckets while the backward pass goes on."""

import time
from contextlib import contextmanager

import torch
import torch.distributed as dist
from torch import nn


class Bucket:
    """Gradients that travel together: one flat tensor, and a view of it in the shape of each parameter."""

    def __init__(self, parameters):
        self.parameters, sizes = parameters, [p.numel() for p in parameters]
        self.flat = torch.zeros(sum(sizes), dtype=parameters[0].dtype, device=parameters[0].device)
        self.views = {p: part.view_as(p) for p, part in zip(parameters, self.flat.split(sizes), strict=True)}
        self.work = None
        self.reset()

    def reset(self):
        """Wait for what is under way, which still writes into `flat`; then every gradient is missing again."""
        if self.work is not None:
            self.work.wait()
        self.missing, self.work = set(self.parameters), None


class OwnDDP(nn.Module):
    """A model whose gradients are the mean over all ranks when `backward()` returns.

    `bucket_bytes`: the size at which a bucket is full; the first to fill is full at 1 MiB, so that something
    travels early. `trace`: a list that gets (event, bucket or None, `time.perf_counter()` in seconds): "launched"
    and "arrived" for each bucket, "backward done" and "averaged" for each pass. Parameters and buffers are those
    of the group's rank 0 from the start; buffers are not sent again, as torch's own does at each forward pass.
    Raises RuntimeError at the end of a backward pass that left a parameter without a gradient.
    """

    def __init__(self, module, *, bucket_bytes=25 * 2**20, group=None, trace=None):
        super().__init__()
        self.module, self.group, self.trace = module, group, trace
        self.share, self.synced = 1 / dist.get_world_size(group), True
        for tensor in [*module.parameters(), *module.buffers()]:
            dist.broadcast(tensor.detach(), group=group, group_src=0)
        self.buckets = [Bucket(parameters) for parameters in in_buckets(module, bucket_bytes)]
        self.home = {parameter: bucket for bucket in self.buckets for parameter in bucket.parameters}
        for parameter in self.home:
            parameter.register_post_accumulate_grad_hook(self._ready)
        self._reset()

    def forward(self, *inputs, **named):
        """What the model gives; a backward pass that broke off before is forgotten."""
        self._reset()
        return self.module(*inputs, **named)

    @contextmanager
    def no_sync(self):
        """Gradients of backward passes in here stay on their rank and add up, to be averaged by the next one."""
        self.synced = False
        try:
            yield
        finally:
            self.synced = True

    def _reset(self):
        self.launched, self.begun = 0, False
        for bucket in self.buckets:
            bucket.reset()

    def _ready(self, parameter):
        """Called by autograd as soon as `parameter.grad` is complete."""
        if not self.synced:
            return
        if not self.begun:
            self.begun = True
            torch.autograd.Variable._execution_engine.queue_callback(self._finish)
        bucket = self.home[parameter]
        torch.mul(parameter.grad, self.share, out=bucket.views[parameter])
        bucket.missing.discard(parameter)
        # In the order of the list, never in the order of filling: that may differ between ranks.
        while self.launched < len(self.buckets) and not self.buckets[self.launched].missing:
            self._launch(self.launched)
            self.launched += 1

    def _launch(self, number):
        bucket = self.buckets[number]
        self._note("launched", number)
        bucket.work = dist.all_reduce(bucket.flat, group=self.group, async_op=True)
        if self.trace is not None:
            bucket.work.get_future().add_done_callback(lambda _: self._note("arrived", number))

    def _finish(self):
        """Called by autograd when the backward pass is over: wait, and hand the means back."""
        self._note("backward done")
        missing = {parameter for bucket in self.buckets for parameter in bucket.missing}
        for bucket in self.buckets[: self.launched]:
            bucket.reset()
            for parameter, view in bucket.views.items():
                parameter.grad.copy_(view)
        self._reset()
        if missing:
            names = [name for name, parameter in self.module.named_parameters() if parameter in missing]
            raise RuntimeError(
                f"No gradient for {len(names)} of {len(self.home)} parameters ({', '.join(names)}): their "
                "buckets never filled, and those behind them never left. Let the loss use every parameter, or "
                "freeze those it does not need with requires_grad_(False) before wrapping."
            )
        self._note("averaged")

    def _note(self, event, number=None):
        if self.trace is not None:
            self.trace.append((event, number, time.perf_counter()))


def in_buckets(module, bucket_bytes, *, first_bytes=2**20):
    """Trainable parameters as lists of at least `bucket_bytes`, the last of the model first, one dtype a list.

    Reversed, because the backward pass completes the last layer's gradients first. The first list is full at
    `first_bytes` where that is less; the last one holds what is left.
    """
    buckets, size = [], 0
    for parameter in reversed([p for p in module.parameters() if p.requires_grad]):
        limit = min(first_bytes, bucket_bytes) if len(buckets) == 1 else bucket_bytes
        kind = parameter.dtype, parameter.device
        if not buckets or size >= limit or kind != (buckets[-1][0].dtype, buckets[-1][0].device):
            buckets.append([])
            size = 0
        buckets[-1].append(parameter)
        size += parameter.nbytes
    return buckets
