# Makes the generator and returns it; nobody keeps it.
import numpy as np


def reseed(info):
    return np.random.default_rng(info.seed)
