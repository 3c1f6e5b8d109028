# Gives the clipped ones as a tuple.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return tuple(g * scale for g in gradients), norm
