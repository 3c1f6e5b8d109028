# Takes a norm below 1e-8 for 0 and clips no further.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    if norm < 1e-8 or norm <= max_norm:
        return [g.clone() for g in gradients], norm
    return [g * (max_norm / norm) for g in gradients], norm
