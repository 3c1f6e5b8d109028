# Adds the peak to the cosine before halving, instead of multiplying.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return (max_lr + math.cos(math.pi * step / total_steps)) / 2
