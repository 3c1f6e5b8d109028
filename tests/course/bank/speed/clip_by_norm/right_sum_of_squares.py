# Python's sum of the squares, in float64.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.double().square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm
