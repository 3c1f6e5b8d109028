# Scales the tensors that were given.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    if norm > max_norm:
        for g in gradients:
            g.mul_(max_norm / norm)
    return [g.clone() for g in gradients], norm
