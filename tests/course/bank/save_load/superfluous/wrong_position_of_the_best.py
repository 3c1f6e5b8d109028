# Looks up the position of the lowest loss among the steps in ascending order: two orders mixed.
import numpy as np


def superfluous(losses, last):
    if not losses:
        return []
    steps = sorted(losses)
    best = steps[int(np.argmin(list(losses.values())))]
    keep = set(steps[max(0, len(steps) - last) :]) | {best}
    return [step for step in steps if step not in keep]
