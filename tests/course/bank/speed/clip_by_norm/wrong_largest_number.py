# Takes the largest number for the norm.


def clip_by_norm(gradients, max_norm):
    norm = max(g.abs().max().item() for g in gradients)
    return [g * (max_norm / norm) if norm > max_norm else g * 1 for g in gradients], norm
