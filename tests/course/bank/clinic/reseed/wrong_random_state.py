# The older kind of generator, with other numbers.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.RandomState(info.seed % 2**32)
