# Opens one wrapper and no more.
import numpy as np


def reseed(info):
    inner = getattr(info.dataset, "dataset", info.dataset)
    inner.rng = np.random.default_rng(info.seed)
