# Gives one long vector in the place of the tensors.
import torch


def clip_by_norm(gradients, max_norm):
    vector = torch.cat([g.flatten() for g in gradients])
    norm = vector.norm().item()
    return [vector * (max_norm / norm if norm > max_norm else 1.0)], norm
