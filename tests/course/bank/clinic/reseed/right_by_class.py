# Asks whether it is a Subset; the bit generator is written out.
import numpy as np
from torch.utils.data import Subset


def reseed(info):
    data = info.dataset
    while isinstance(data, Subset) or hasattr(data, "dataset"):
        data = data.dataset
    setattr(data, "rng", np.random.Generator(np.random.PCG64(info.seed)))
