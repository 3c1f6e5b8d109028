# Seeds by the worker's number: the same in every epoch and every run.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(info.id)
