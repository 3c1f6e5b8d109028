# Hands float64 gradients back as float32.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return [(g * scale).float() for g in gradients], norm
