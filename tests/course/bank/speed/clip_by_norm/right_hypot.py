# math.hypot over the norms, and clones where nothing is to do.
import math

import torch


def clip_by_norm(gradients, max_norm):
    norm = math.hypot(*(float(torch.linalg.vector_norm(g, dtype=torch.float64)) for g in gradients))
    if not norm > max_norm:
        return [torch.clone(g) for g in gradients], norm
    return [torch.mul(g, max_norm / norm) for g in gradients], norm
