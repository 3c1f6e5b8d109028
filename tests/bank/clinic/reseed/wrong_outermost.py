# Gives the generator to the wrapper, not to the data set inside.
import numpy as np


def reseed(info):
    info.dataset.rng = np.random.default_rng(info.seed)
