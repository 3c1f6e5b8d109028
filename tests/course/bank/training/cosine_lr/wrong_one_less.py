# Reaches 0 at the last step that is taken, one before total_steps.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    t = step / max(total_steps - 1, 1)
    return max_lr * 0.5 * (1 + math.cos(math.pi * t))
