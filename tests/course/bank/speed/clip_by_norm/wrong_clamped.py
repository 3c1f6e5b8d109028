# Clamps each number to max_norm.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    return [g.clamp(-max_norm, max_norm) for g in gradients], norm
