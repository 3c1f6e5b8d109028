# Adds the norms of the tensors.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.norm().item() for g in gradients)
    scale = 1.0 if norm <= max_norm else max_norm / norm
    return [g * scale for g in gradients], norm
