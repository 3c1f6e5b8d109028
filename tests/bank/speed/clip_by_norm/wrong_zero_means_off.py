# Takes max_norm 0 for no clipping.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    if not max_norm or norm <= max_norm:
        return [g.clone() for g in gradients], norm
    return [g * (max_norm / norm) for g in gradients], norm
