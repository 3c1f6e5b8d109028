# Gives the norm as a tensor.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.linalg.vector_norm(torch.cat([g.flatten() for g in gradients]))
    return [g * min(1.0, max_norm / max(norm.item(), 1e-30)) for g in gradients], norm
