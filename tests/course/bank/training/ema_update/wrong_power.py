# Takes d to the power t for what is forgotten, as Adam's correction does.


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - decay**step)
    return keep * average + (1 - keep) * value
