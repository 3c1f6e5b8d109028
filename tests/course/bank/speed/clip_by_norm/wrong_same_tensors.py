# Where nothing is clipped, the given tensors themselves come back.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    if norm <= max_norm:
        return list(gradients), norm
    return [g * max_norm / norm for g in gradients], norm
