# Keeps the generator if there is one already.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    if not hasattr(data, "rng"):
        data.rng = np.random.default_rng(info.seed)
