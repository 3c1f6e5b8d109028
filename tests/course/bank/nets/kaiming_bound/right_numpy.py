# NumPy's product and root, turned into a float.
import numpy as np
import torch


def kaiming_bound(shape):
    return float(np.sqrt(6.0 / np.prod(np.array(shape)[1:])))
