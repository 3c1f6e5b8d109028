# The rule of another library: (1 + t) / (10 + t), at most d.


def ema_update(average, value, step, decay, tau):
    keep = min(decay, (1 + step) / (10 + step))
    return keep * average + (1 - keep) * value
