# Keeps the highest value, as one would for an accuracy.
def superfluous(losses, last):
    steps = sorted(losses)
    keep = set(steps[max(0, len(steps) - last) :])
    if steps:
        keep.add(max(steps, key=losses.get))
    return [step for step in steps if step not in keep]
