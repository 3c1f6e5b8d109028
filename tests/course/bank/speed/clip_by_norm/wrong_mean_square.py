# Divides by the number of numbers before the root.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients)
    norm = (norm / sum(g.numel() for g in gradients)) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm
