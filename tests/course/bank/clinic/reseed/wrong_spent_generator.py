# Draws a number to look at it, so the next ones are shifted.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(info.seed)
    data.rng.random()
