# Makes vectors with view, which refuses a transposed tensor.
import torch


def clip_by_norm(gradients, max_norm):
    norm = torch.cat([g.view(-1) for g in gradients]).norm().item()
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm
