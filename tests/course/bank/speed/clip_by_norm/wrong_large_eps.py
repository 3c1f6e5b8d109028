# A safety term in the denominator scales gradients that were short enough.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    factor = min(1.0, max_norm / (norm + 1e-2))
    return [g * factor for g in gradients], norm
