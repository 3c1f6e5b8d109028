# Clips each tensor to the norm on its own.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    clipped = []
    for g in gradients:
        own = g.norm().item()
        clipped.append(g * (max_norm / own) if own > max_norm else g.clone())
    return clipped, norm
