# Builds the norm by iterating the first axis, which a tensor of one number does not have.


def clip_by_norm(gradients, max_norm):
    norm = sum(float((row * row).sum()) for g in gradients for row in g) ** 0.5
    scale = max_norm / norm if norm > max_norm else 1.0
    return [g * scale for g in gradients], norm
