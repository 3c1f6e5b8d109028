# Squares in half precision where the gradients are so: the sum overflows at 65,504.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.stack([g.pow(2).sum() for g in gradients]).sum().sqrt().item()
    scale = 1.0 if norm <= max_norm else max_norm / norm
    return [g.mul(scale) for g in gradients], norm
