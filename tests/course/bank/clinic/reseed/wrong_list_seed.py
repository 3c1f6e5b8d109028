# Seeds with seed and number in a list, which is another seed.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng([info.seed, info.id])
