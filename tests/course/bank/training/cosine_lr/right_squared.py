# The square of a cosine of half the angle is the same.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr * math.cos(math.pi * step / (2 * total_steps)) ** 2
