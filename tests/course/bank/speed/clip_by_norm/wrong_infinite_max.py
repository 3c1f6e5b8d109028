# With max_norm infinite, as in the chapter's free run, the factor is inf / inf.


def clip_by_norm(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients) ** 0.5
    factor = max_norm / max(norm, max_norm)
    return [g * factor for g in gradients], norm
