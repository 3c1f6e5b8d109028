# Hands the cosine degrees.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr * (math.cos(180 * step / total_steps) + 1) / 2
