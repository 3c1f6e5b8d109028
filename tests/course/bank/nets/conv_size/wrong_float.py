# Gives a float without decimals instead of a whole number.
import numpy as np
import torch


def conv_size(size, kernel, stride, padding):
    return float(np.floor((size + 2 * padding - kernel) / stride)) + 1
