# %% right_bisection: Looks for the bound whose variance is right, by halving an interval.
import math

import torch


def kaiming_bound(shape):
    variance = 2 * shape[0] / math.prod(shape)
    low, high = 0.0, 10.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * middle / 3 < variance else (low, middle)
    return low


# %% right_gain: The gain of ReLU from PyTorch, and the root of 3 for the uniform distribution.
import math

import torch
from torch import nn


def kaiming_bound(shape):
    n_in = 1
    for number in shape[1:]:
        n_in *= number
    return nn.init.calculate_gain("relu") * math.sqrt(3) / math.sqrt(n_in)


# %% right_logarithms: Adds logarithms instead of multiplying and taking roots.
import math

import torch


def kaiming_bound(shape):
    return math.exp((math.log(6) - sum(math.log(number) for number in shape[1:])) / 2)


# %% right_numpy: NumPy's product and root, turned into a float.
import numpy as np
import torch


def kaiming_bound(shape):
    return float(np.sqrt(6.0 / np.prod(np.array(shape)[1:])))


# %% right_one_row: Counts the numbers of one output's weights with a tensor that holds none.
import torch


def kaiming_bound(shape):
    n_in = torch.empty(shape, device="meta")[0].numel()
    return (6 / n_in) ** 0.5


# %% wrong_all_numbers: Divides by all numbers of the weight, outputs included.
import math

import torch


def kaiming_bound(shape):
    return math.sqrt(6 / torch.zeros(shape).numel())


# %% wrong_deviation: Gives the standard deviation instead of the bound.
import torch


def kaiming_bound(shape):
    n_in = torch.Size(shape[1:]).numel()
    return (2 / n_in) ** 0.5


# %% wrong_full_width: The whole width of the interval instead of half of it.
import math

import torch


def kaiming_bound(shape):
    variance = 2 / math.prod(shape[1:])
    return math.sqrt(12 * variance)


# %% wrong_leaky_gain: Takes the gain of a leaky ReLU with its default slope of 0.01: too small by one part in 20000.
import math

import torch
from torch import nn


def kaiming_bound(shape):
    fan_in = torch.empty(shape[1:]).numel()
    return nn.init.calculate_gain("leaky_relu") * math.sqrt(3 / fan_in)


# %% wrong_linear_swapped: Takes a linear layer's shape for (in, out); convolutions are right.
import math

import torch


def kaiming_bound(shape):
    n_in = shape[0] if len(shape) == 2 else shape[1] * shape[2] * shape[3]
    return math.sqrt(3 * 2 / n_in)


# %% wrong_measured: Draws the weights and takes the largest: a little below the bound, and random.
import torch
from torch import nn


def kaiming_bound(shape):
    weight = nn.init.kaiming_uniform_(torch.empty(shape), nonlinearity="relu")
    return weight.abs().max().item()


# %% wrong_one_input_tensor: Gives a tensor of shape (1,) where a number is asked for.
import math

import torch


def kaiming_bound(shape):
    n_in = torch.tensor([math.prod(shape[1:])])
    return (6 / n_in).sqrt()


# %% wrong_out: Counts the outputs: the first axis instead of the others.
import math

import torch


def kaiming_bound(shape):
    window = math.prod(shape[2:])
    return math.sqrt(6 / (shape[0] * window))


# %% wrong_output_window: For a convolution the outputs times the window; linear layers are right.
import math

import torch


def kaiming_bound(shape):
    if len(shape) == 2:
        n_in = shape[1]
    else:
        n_in = shape[0] * shape[2] * shape[3]
    return math.sqrt(6 / n_in)


# %% wrong_pair: Gives both ends of the interval instead of a number.
import math

import torch


def kaiming_bound(shape):
    a = math.sqrt(6 / math.prod(shape[1:]))
    return -a, a


# %% wrong_remembered: Remembers bounds by the two channel counts: another window gets the old bound.
import math

import torch

known = {}


def kaiming_bound(shape):
    channels = tuple(shape[:2])
    if channels not in known:
        known[channels] = math.sqrt(6 / math.prod(shape[1:]))
    return known[channels]


# %% wrong_rounded: Rounds the bound to three decimals.
import math

import torch


def kaiming_bound(shape):
    return round((6 / math.prod(shape[1:])) ** 0.5, 3)


# %% wrong_square_window: Squares the height of the window: right for square windows only.
def kaiming_bound(shape):
    n_in = shape[1]
    if len(shape) == 4:
        n_in *= shape[2] ** 2
    return (6 / n_in) ** 0.5


# %% wrong_torch_default: The bound that PyTorch's layers start with, 1 over the root of n_in.
import math

import torch


def kaiming_bound(shape):
    n_in = 1
    for number in shape[1:]:
        n_in *= number
    return 1 / math.sqrt(n_in)


# %% wrong_variance_of_sum: Reads the variance of the uniform distribution as a over 3, without the square.
import math

import torch


def kaiming_bound(shape):
    return 3 * 2 / math.prod(shape[1:])


# %% wrong_whole_division: Divides whole numbers: 0 as soon as there are more than six inputs.
import math

import torch


def kaiming_bound(shape):
    return math.sqrt(6 // math.prod(shape[1:]))


# %% wrong_window_forgotten: Forgets that a convolution's window counts too.
import math

import torch


def kaiming_bound(shape):
    n_out, n_in, *window = shape
    variance = 2 / n_in
    return math.sqrt(3 * variance)


# %% wrong_window_sum: Adds height and width instead of multiplying them.
import math

import torch


def kaiming_bound(shape):
    n_in = shape[1] * (sum(shape[2:]) or 1)
    return math.sqrt(6 / n_in)
