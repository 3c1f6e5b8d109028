# torch.linalg.norm with 2 is the spectral norm for a matrix.
import math

import torch


def clip_by_norm(gradients, max_norm):
    norm = math.hypot(*(torch.linalg.norm(g, 2).item() for g in gradients))
    return [g * min(1.0, max_norm / norm) if norm else g.clone() for g in gradients], norm
