# Leaves the last tensor as it is.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    clipped = [g.clone() for g in gradients]
    for i in range(len(clipped) - 1):
        clipped[i] *= scale
    return clipped, norm
