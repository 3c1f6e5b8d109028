# A negative stop of the slice: with more to keep than there are, it deletes from the front.
def superfluous(losses, last):
    if not losses:
        return []
    steps = sorted(losses)
    best = min(steps, key=losses.get)
    return [step for step in steps[: len(steps) - last] if step != best]
