# Takes the norm of each row of a matrix.
import torch


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    if norm <= max_norm:
        return [g.clone() for g in gradients], norm
    return [torch.renorm(g, 2, 0, max_norm) if g.ndim > 1 else g * (max_norm / norm) for g in gradients], norm
