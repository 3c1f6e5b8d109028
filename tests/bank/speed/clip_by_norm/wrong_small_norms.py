# A safety term of 1e-6 in the denominator, which alters gradients that are just as long as max_norm.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    return [g * min(1.0, max_norm / (norm + 1e-6)) for g in gradients], norm
