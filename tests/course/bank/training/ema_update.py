# %% right_clone: In place on a copy.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return average.clone().mul_(keep).add_(value, alpha=1 - keep)


# %% right_lerp: lerp from the value to the average, expm1 for the share.
import math

import torch


def ema_update(average, value, step, decay, tau):
    return torch.lerp(value, average, -decay * math.expm1(-step / tau))


# %% right_numpy: NumPy in float64 in between, cast back.
import numpy as np
import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - np.exp(-step / tau))
    mixed = value.numpy() + keep * (average.numpy().astype(np.float64) - value.numpy())
    return torch.as_tensor(mixed).to(average.dtype)


# %% right_one_by_one: Number by number, into an empty tensor of the same shape.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.e ** (-step / tau))
    mixed = [keep * a + (1 - keep) * v for a, v in zip(average.flatten().tolist(), value.flatten().tolist())]
    return torch.tensor(mixed, dtype=average.dtype).reshape(average.shape)


# %% right_stacked: Both tensors stacked, and a product with the two shares.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay - decay * math.exp(-step / tau)
    shares = torch.tensor([keep, 1 - keep], dtype=value.dtype)
    return torch.einsum("s,s...->...", shares, torch.stack([average, value]))


# %% wrong_average_itself: Hands back the average itself where average and value are equal already.
import math

import torch


def ema_update(average, value, step, decay, tau):
    if torch.equal(average, value):
        return average
    keep = decay * (1 - math.exp(-step / tau))
    return value + keep * (average - value)


# %% wrong_capped: The smaller of d and the growing share, instead of their product.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = min(decay, 1 - math.exp(-step / tau))
    return keep * average + (1 - keep) * value


# %% wrong_constant: Keeps the share d from the first step on.
import torch


def ema_update(average, value, step, decay, tau):
    return torch.lerp(value, average, decay)


# %% wrong_flat_view: Works on flat views, which a transposed tensor does not have.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    mixed = keep * average.view(-1) + (1 - keep) * value.view(-1)
    return mixed.view(average.shape)


# %% wrong_in_place: Changes the average in place, as the training loop would.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return average.mul_(keep).add_(value, alpha=1 - keep)


# %% wrong_memory: Keeps the average between calls, and after the first one does not look at the argument.
import math

import torch

kept = {}


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    old = kept.get("average", average)
    if old.shape != value.shape:
        old = average
    kept["average"] = keep * old + (1 - keep) * value
    return kept["average"].clone()


# %% wrong_next_step: Takes the share of the step after.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-(step + 1) / tau))
    return keep * average + (1 - keep) * value


# %% wrong_own_count: Counts the steps itself, from 1, and does not look at the argument.
import math

import torch

steps = 0


def ema_update(average, value, step, decay, tau):
    global steps
    steps += 1
    keep = decay * (1 - math.exp(-steps / tau))
    return keep * average + (1 - keep) * value


# %% wrong_power: Takes d to the power t for what is forgotten, as Adam's correction does.
def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - decay**step)
    return keep * average + (1 - keep) * value


# %% wrong_precedence: Divides the power by tau, not the exponent.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step) / tau)
    return keep * average + (1 - keep) * value


# %% wrong_ramp: The share grows in a straight line up to step tau.
def ema_update(average, value, step, decay, tau):
    keep = decay * min(1.0, step / tau)
    return value.lerp(average, keep)


# %% wrong_rest_of_decay: The new value gets 1 - d, so the shares do not add up to 1.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return average * keep + value * (1 - decay)


# %% wrong_rows: Goes along the first axis and stacks: a tensor without axes has none.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return torch.stack([keep * a + (1 - keep) * v for a, v in zip(average, value)])


# %% wrong_swapped: Keeps the share of the new value, and the rest of the old average.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return torch.lerp(average, value, keep)


# %% wrong_thirty: Always a tau of 30, what "we take".
import math

import torch


def ema_update(average, value, step, decay, tau=30):
    keep = decay * (1 - math.exp(-step / 30))
    return keep * average + (1 - keep) * value


# %% wrong_two_digits: Rounds the share to two digits, as it was printed.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = round(decay * (1 - math.exp(-step / tau)), 2)
    return keep * average + (1 - keep) * value


# %% wrong_value_in_place: Scales the caller's value in place; the average stays.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    value *= 1 - keep
    return keep * average + value


# %% wrong_value_itself: Hands back the value itself, not a new tensor, where nothing of the average is kept.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    if keep == 0:
        return value
    return keep * average + (1 - keep) * value


# %% wrong_vectors_only: Goes along one axis and makes float32 of it: right for vectors only.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    return torch.tensor([keep * float(a) + (1 - keep) * float(v) for a, v in zip(average, value)])


# %% wrong_warm_up: The rule of another library: (1 + t) / (10 + t), at most d.
def ema_update(average, value, step, decay, tau):
    keep = min(decay, (1 + step) / (10 + step))
    return keep * average + (1 - keep) * value


# %% wrong_whole_division: Divides whole numbers: nothing is kept before step tau.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-(step // tau)))
    return keep * average + (1 - keep) * value


# %% wrong_whole_share: Keeps d as soon as the share has come within a hundredth of it.
import math

import torch


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    if decay - keep < 0.01:
        keep = decay
    return keep * average + (1 - keep) * value
