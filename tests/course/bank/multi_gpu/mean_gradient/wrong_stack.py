# One tensor of all, which needs equal shapes.
import torch


def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return torch.cat(
        [sum(g[i] * (s / total) for g, s in zip(gradients, sizes) if s).flatten() for i in range(len(gradients[0]))]
    )
