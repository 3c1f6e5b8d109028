"""One seed for all random number generators that a notebook uses."""

import random

import torch


def set_seed(seed: int) -> None:
    """Seed Python's, NumPy's (if it is installed) and torch's random number generators, on every device.

    Equal seeds give equal numbers on one machine with one version of torch. Between machines the last digits may
    differ. Source: PyTorch's notes on reproducibility.

    >>> set_seed(0)
    >>> first = torch.rand(2)
    >>> set_seed(0)
    >>> torch.equal(first, torch.rand(2))
    True
    """
    random.seed(seed)
    torch.manual_seed(seed)  # the CPU's generator and those of every accelerator
    try:
        import numpy
    except ImportError:  # torch runs without NumPy, and then nothing draws from it
        return
    numpy.random.seed(seed % 2**32)
