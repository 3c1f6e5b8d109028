# Puts the new tensors into the list that was given.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    for i, g in enumerate(gradients):
        gradients[i] = g * scale
    return gradients, norm
