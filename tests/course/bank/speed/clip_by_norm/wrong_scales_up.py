# Scales short gradients up to max_norm.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.reshape(-1) for g in gradients]).norm().item()
    return [g * (max_norm / norm) if norm else g.clone() for g in gradients], norm
