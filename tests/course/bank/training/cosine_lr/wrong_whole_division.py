# Divides whole numbers: the peak until the end.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr * (1 + math.cos(math.pi * (step // total_steps))) / 2
