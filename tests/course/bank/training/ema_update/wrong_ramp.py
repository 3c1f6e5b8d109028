# The share grows in a straight line up to step tau.


def ema_update(average, value, step, decay, tau):
    keep = decay * min(1.0, step / tau)
    return value.lerp(average, keep)
