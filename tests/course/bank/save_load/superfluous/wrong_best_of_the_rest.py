# Looks for the best among those outside the last ones: one more stays where the best is recent.
def superfluous(losses, last):
    steps = sorted(losses)
    old = steps[: max(0, len(steps) - last)]
    if old:
        old.remove(min(old, key=lambda step: (losses[step], step)))
    return old
