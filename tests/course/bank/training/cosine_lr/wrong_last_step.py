# Never gets further than the step before the last.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    t = min(step, total_steps - 1) / total_steps
    return max_lr * (0.5 + 0.5 * math.cos(math.pi * t))
