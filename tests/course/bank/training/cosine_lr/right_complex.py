# The real part of a turning complex number.


def cosine_lr(step, total_steps, max_lr):
    turned = complex(-1, 0) ** (step / total_steps)
    return max_lr * (1 + turned.real) / 2
