# Starts the search at infinity with a strict comparison: where every loss is infinite, none is the best.
import math


def superfluous(losses, last):
    best, lowest = None, math.inf
    for step, loss in sorted(losses.items()):
        if loss < lowest:
            best, lowest = step, loss
    steps = sorted(losses)
    kept = steps[max(0, len(steps) - last) :] + [best]
    return [step for step in steps if step not in kept]
