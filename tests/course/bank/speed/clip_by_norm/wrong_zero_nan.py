# With all numbers 0 they become NaN.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm()
    return [g / norm * torch.clamp(norm, max=max_norm) for g in gradients], norm.item()
