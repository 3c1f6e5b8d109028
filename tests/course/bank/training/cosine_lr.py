# %% right_complex: The real part of a turning complex number.
def cosine_lr(step, total_steps, max_lr):
    turned = complex(-1, 0) ** (step / total_steps)
    return max_lr * (1 + turned.real) / 2


# %% right_numpy: NumPy's sine, a quarter of a wave later.
import numpy as np
import torch


def cosine_lr(step, total_steps, max_lr):
    return float(max_lr * (1 - np.sin(np.pi * (step / total_steps - 0.5))) / 2)


# %% right_scheduler: PyTorch's scheduler as a formula: it is asked for the rate of that step.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=max_lr)
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: (1 + math.cos(math.pi * (s + step) / total_steps)) / 2
    )
    return scheduler.get_last_lr()[0]


# %% right_squared: The square of a cosine of half the angle is the same.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr * math.cos(math.pi * step / (2 * total_steps)) ** 2


# %% right_torch: Torch in float64 in between, a number in the end.
import torch


def cosine_lr(step, total_steps, max_lr):
    t = torch.tensor(step, dtype=torch.float64) / total_steps
    return (max_lr * (1 + torch.cos(torch.pi * t)) / 2).item()


# %% wrong_degrees: Hands the cosine degrees.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr * (math.cos(180 * step / total_steps) + 1) / 2


# %% wrong_four_decimals: Rounds to four decimals, as the figures above are printed.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return round(max_lr * (1 + math.cos(math.pi * step / total_steps)) / 2, 4)


# %% wrong_half_rounded: Measures in whole halves of the run: right for even numbers of steps.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    half = total_steps // 2 or 1
    return max_lr / 2 * (1 + math.cos(math.pi / 2 * step / half))


# %% wrong_hundred: Takes every run for one of a hundred steps.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return 0.5 * max_lr * (1 + math.cos(math.pi * step / 100))


# %% wrong_last_step: Never gets further than the step before the last.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    t = min(step, total_steps - 1) / total_steps
    return max_lr * (0.5 + 0.5 * math.cos(math.pi * t))


# %% wrong_linear: A straight line: the ends and the middle are right.
def cosine_lr(step, total_steps, max_lr):
    left = total_steps - step
    return left * max_lr / total_steps


# %% wrong_not_shifted: The bare cosine: it ends at minus the peak.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr * math.cos(step / total_steps * math.pi)


# %% wrong_one_less: Reaches 0 at the last step that is taken, one before total_steps.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    t = step / max(total_steps - 1, 1)
    return max_lr * 0.5 * (1 + math.cos(math.pi * t))


# %% wrong_own_count: Counts its own calls and does not look at the step.
import math

import torch

calls = -1


def cosine_lr(step, total_steps, max_lr):
    global calls
    calls += 1
    return max_lr * (1 + math.cos(math.pi * calls / total_steps)) / 2


# %% wrong_parabolas: Cosine by an old approximation, wrong in the third digit.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    angle = math.pi * (step / total_steps - 0.5)
    size = abs(angle)
    sine = 16 * size * (math.pi - size) / (5 * math.pi**2 - 4 * size * (math.pi - size))
    return max_lr / 2 * (1 - math.copysign(sine, angle))


# %% wrong_peak_capped: No rate above 0.1, as a precaution.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return min(0.1, max_lr) * (1 + math.cos(math.pi * step / total_steps)) / 2


# %% wrong_peak_outside: Adds the peak to the cosine before halving, instead of multiplying.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return (max_lr + math.cos(math.pi * step / total_steps)) / 2


# %% wrong_quarter_wave: The size of the turning number, not its real part: that is a quarter of a wave.
def cosine_lr(step, total_steps, max_lr):
    return max_lr * abs(1 + complex(-1, 0) ** (step / total_steps)) / 2


# %% wrong_remembered: Remembers rates by step and length of the run: another peak gets the old rate.
import math

import torch

known = {}


def cosine_lr(step, total_steps, max_lr):
    if (step, total_steps) not in known:
        known[step, total_steps] = max_lr * (1 + math.cos(math.pi * step / total_steps)) / 2
    return known[step, total_steps]


# %% wrong_rises: Runs the wrong way: 0 at the start, the peak at the end.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr * math.sin(math.pi / 2 * step / total_steps) ** 2


# %% wrong_school_pi: Takes 3.14 for π: not 0 at the end, and off by a thousandth in between.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr * (1 + math.cos(3.14 * step / total_steps)) / 2


# %% wrong_smoothstep: A polynomial with the right ends, middle and flatness, but no cosine.
def cosine_lr(step, total_steps, max_lr):
    t = step / total_steps
    return max_lr * (1 - t * t * (3 - 2 * t))


# %% wrong_table: Straight lines between the four figures shown and the end.
import math

import numpy as np
import torch


def cosine_lr(step, total_steps, max_lr):
    shares = [1.0, (1 + math.sqrt(0.5)) / 2, 0.5, (1 - math.sqrt(0.5)) / 2, 0.0]
    return float(np.interp(4 * step / total_steps, range(5), shares)) * max_lr


# %% wrong_tensor: Gives a tensor instead of a number.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    angle = torch.tensor(math.pi * step / total_steps, dtype=torch.float64)
    return max_lr * (1 + torch.cos(angle)) / 2


# %% wrong_two_halves: Folds the second half over the first, but counts its steps one too few.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    if 2 * step <= total_steps:
        return max_lr * (1 + math.cos(math.pi * step / total_steps)) / 2
    return max_lr * (1 - math.cos(math.pi * (total_steps - step - 1) / total_steps)) / 2


# %% wrong_whole_division: Divides whole numbers: the peak until the end.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr * (1 + math.cos(math.pi * (step // total_steps))) / 2


# %% wrong_whole_wave: A whole wave: back at the peak in the end.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr / 2 + max_lr / 2 * math.cos(2 * math.pi * step / total_steps)
