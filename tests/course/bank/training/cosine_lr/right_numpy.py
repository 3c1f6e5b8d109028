# NumPy's sine, a quarter of a wave later.
import numpy as np
import torch


def cosine_lr(step, total_steps, max_lr):
    return float(max_lr * (1 - np.sin(np.pi * (step / total_steps - 0.5))) / 2)
