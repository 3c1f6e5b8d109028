# Halves the seed: two neighbours get one.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(info.seed // 2)
