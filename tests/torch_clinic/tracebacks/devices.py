"""Programs that fail over a device.

There need not be a GPU where the tests run: `meta` stands in for a second device. What only CUDA says is spoken by
hand in `spoken.py`.
"""

import torch
import torch.nn.functional as F
from torch import nn


def device_mismatch__sum():
    return torch.ones(3, device="meta") + torch.ones(3)


def device_mismatch__linear():
    head = nn.Linear(8, 2, device="meta")
    head(torch.rand(4, 8))


def device_mismatch__cat():
    torch.cat([torch.zeros(2), torch.zeros(2, device="meta")])


def device_mismatch__loss():
    F.cross_entropy(torch.randn(4, 3, device="meta"), torch.zeros(4, dtype=torch.long))


def no_cuda__to():
    nn.Linear(2, 2).to("cuda")


def no_cuda__tensor():
    torch.zeros(3, device="cuda:1")


def no_cuda__cuda_method():
    torch.ones(1).cuda()


def numpy_device__meta():
    return torch.ones(2, device="meta").numpy()


def numpy_device__histogram():
    import numpy

    numpy.histogram(torch.rand(100, device="meta"))


def out_of_memory__all_pairs():
    torch.empty(3_000_000, 3_000_000, 100)


def out_of_memory__repeat():
    torch.zeros(2**10).repeat(2**40)
