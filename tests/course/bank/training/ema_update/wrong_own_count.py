# Counts the steps itself, from 1, and does not look at the argument.
import math

import torch

steps = 0


def ema_update(average, value, step, decay, tau):
    global steps
    steps += 1
    keep = decay * (1 - math.exp(-steps / tau))
    return keep * average + (1 - keep) * value
