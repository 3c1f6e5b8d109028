# Written by tools/export_cells.py from notebooks/11_allreduce.ipynb; change the notebook's cells.
"""Data parallel training of one's own: gradients travel in buckets while the backward pass goes on.

`in_buckets` lists the trainable parameters, the last of the model first, because the backward pass completes
their gradients first; a bucket has one dtype and device. It is full at `bucket_cap_mb` MiB, the first one at
`first_cap_mb` MiB where that is less. `Bucket` is one flat tensor, and a view of it for each parameter.
`BucketQueue` sends buckets in the order of the list, because the order of filling may differ between ranks.
`Reducer` is what autograd calls.

`OwnDDP` wraps a model, whose gradients are the mean over all ranks when `backward()` returns. Parameters and
buffers are those of the group's rank 0 from the start; buffers are not sent again, as torch's own does at each
forward pass, which forgets a backward pass that broke off. `no_sync()` keeps gradients on their rank. `trace`:
None, or a list that gets (event, bucket or None, `time.perf_counter()` in seconds): "launched" and "arrived"
for each bucket, "backward done" and "averaged" for each pass. Without `overlap` all buckets leave at the end.
RuntimeError at the end of a backward pass that left a parameter without a gradient.
"""

import time
from contextlib import contextmanager

import torch
import torch.distributed as dist
from torch import nn


def in_buckets(module, bucket_cap_mb, *, first_cap_mb=1):
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
    def __init__(self, parameters):
        self.parameters, sizes = parameters, [p.numel() for p in parameters]
        self.flat = torch.zeros(sum(sizes), dtype=parameters[0].dtype, device=parameters[0].device)
        self.views = {p: part.view_as(p) for p, part in zip(parameters, self.flat.split(sizes), strict=True)}
        self.work = None
        self.reset()

    def reset(self):
        if self.work is not None:
            self.work.wait()
        self.missing, self.work = set(self.parameters), None

    def hand_back(self):
        self.reset()
        for parameter, view in self.views.items():
            parameter.grad.copy_(view)


class BucketQueue:
    def __init__(self, module, bucket_cap_mb, group, trace, overlap):
        self.names = {parameter: name for name, parameter in module.named_parameters()}
        self.buckets = [Bucket(parameters) for parameters in in_buckets(module, bucket_cap_mb)]
        self.home = {parameter: bucket for bucket in self.buckets for parameter in bucket.parameters}
        self.group, self.trace, self.overlap = group, trace, overlap
        self.reset()

    def reset(self):
        self.launched, self.begun = 0, False
        for bucket in self.buckets:
            bucket.reset()

    def launch(self):
        while self.launched < len(self.buckets) and not self.buckets[self.launched].missing:
            number, bucket = self.launched, self.buckets[self.launched]
            self.note("launched", number)
            bucket.work = dist.all_reduce(bucket.flat, group=self.group, async_op=True)
            if self.trace is not None:
                bucket.work.get_future().add_done_callback(lambda _, number=number: self.note("arrived", number))
            self.launched += 1

    def note(self, event, number=None):
        if self.trace is not None:
            self.trace.append((event, number, time.perf_counter()))


class Reducer(BucketQueue):
    def ready(self, parameter):
        if not self.begun:
            self.begun = True
            torch.autograd.Variable._execution_engine.queue_callback(self.finish)
        bucket = self.home[parameter]
        torch.mul(parameter.grad, 1 / dist.get_world_size(self.group), out=bucket.views[parameter])
        bucket.missing.discard(parameter)
        if self.overlap:
            self.launch()

    def finish(self):
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
    def __init__(self, module, *, bucket_cap_mb=25, group=None, trace=None, overlap=True):
        super().__init__()
        self.module, self.synced = module, True
        for tensor in [*module.parameters(), *module.buffers()]:
            dist.broadcast(tensor.detach(), group=group, group_src=0)
        self.reducer = Reducer(module, bucket_cap_mb, group, trace, overlap)
        for parameter in self.reducer.home:
            parameter.register_post_accumulate_grad_hook(lambda p: self.reducer.ready(p) if self.synced else None)

    def forward(self, *args, **kwargs):
        self.reducer.reset()
        return self.module(*args, **kwargs)

    @contextmanager
    def no_sync(self):
        self.synced = False
        try:
            yield
        finally:
            self.synced = True
