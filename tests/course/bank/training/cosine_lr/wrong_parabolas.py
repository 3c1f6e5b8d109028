# Cosine by an old approximation, wrong in the third digit.
import math

import torch


def cosine_lr(step, total_steps, max_lr):
    angle = math.pi * (step / total_steps - 0.5)
    size = abs(angle)
    sine = 16 * size * (math.pi - size) / (5 * math.pi**2 - 4 * size * (math.pi - size))
    return max_lr / 2 * (1 - math.copysign(sine, angle))
