# Sorts the steps as text, so that 1600 comes before 400.
def superfluous(losses, last):
    steps = sorted(losses, key=str)
    if not steps:
        return []
    best = min(steps, key=lambda step: (losses[step], step))
    return [step for step in steps[: max(0, len(steps) - last)] if step != best]
