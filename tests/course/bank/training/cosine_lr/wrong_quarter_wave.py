# The size of the turning number, not its real part: that is a quarter of a wave.


def cosine_lr(step, total_steps, max_lr):
    return max_lr * abs(1 + complex(-1, 0) ** (step / total_steps)) / 2
