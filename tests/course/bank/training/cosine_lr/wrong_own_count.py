# Counts its own calls and does not look at the step.
import math

import torch

calls = -1


def cosine_lr(step, total_steps, max_lr):
    global calls
    calls += 1
    return max_lr * (1 + math.cos(math.pi * calls / total_steps)) / 2
