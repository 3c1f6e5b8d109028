# A whole wave: back at the peak in the end.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr / 2 + max_lr / 2 * math.cos(2 * math.pi * step / total_steps)
