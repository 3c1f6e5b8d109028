# Folds the second half over the first, but counts its steps one too few.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    if 2 * step <= total_steps:
        return max_lr * (1 + math.cos(math.pi * step / total_steps)) / 2
    return max_lr * (1 - math.cos(math.pi * (total_steps - step - 1) / total_steps)) / 2
