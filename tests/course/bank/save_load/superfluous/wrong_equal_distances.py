# Takes all within `last` distances of the newest for the last ones: steps need not be evenly spread.
def superfluous(losses, last):
    if not losses:
        return []
    steps = sorted(losses)
    distance = steps[-1] - steps[-2] if len(steps) > 1 else 1
    best = min(steps, key=losses.get)
    return [step for step in steps if step <= steps[-1] - last * distance and step != best]
