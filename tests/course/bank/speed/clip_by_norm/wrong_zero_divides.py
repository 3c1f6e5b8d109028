# Divides by a norm of 0.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    return [g * min(1.0, max_norm / norm) for g in gradients], norm
