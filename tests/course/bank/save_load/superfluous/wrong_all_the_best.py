# Keeps every checkpoint with the lowest loss, not the first alone.
def superfluous(losses, last):
    steps = sorted(losses)
    recent = set(steps[max(0, len(steps) - last) :])
    lowest = min(losses.values(), default=None)
    return [step for step in steps if step not in recent and losses[step] != lowest]
