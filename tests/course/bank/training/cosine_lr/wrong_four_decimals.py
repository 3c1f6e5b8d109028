# Rounds to four decimals, as the figures above are printed.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return round(max_lr * (1 + math.cos(math.pi * step / total_steps)) / 2, 4)
