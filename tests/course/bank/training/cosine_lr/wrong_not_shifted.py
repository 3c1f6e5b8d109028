# The bare cosine: it ends at minus the peak.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    return max_lr * math.cos(step / total_steps * math.pi)
