# Cuts the seed to 32 bits, so that other seeds give the same numbers.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(info.seed % 2**16)
