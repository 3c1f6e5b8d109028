# Goes down by recursion, one wrapper a call.
import numpy as np


def innermost(data):
    return innermost(data.dataset) if hasattr(data, "dataset") else data


def reseed(info):
    innermost(info.dataset).rng = np.random.default_rng(info.seed)
