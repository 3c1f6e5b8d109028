# Adds the absolute numbers.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.abs().sum().item() for g in gradients)
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm
