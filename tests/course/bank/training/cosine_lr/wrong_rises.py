# Runs the wrong way: 0 at the start, the peak at the end.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr * math.sin(math.pi / 2 * step / total_steps) ** 2
