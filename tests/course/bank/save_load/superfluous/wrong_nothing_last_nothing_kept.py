# With none of the last to keep it lets the best go too.
def superfluous(losses, last):
    steps = sorted(losses)
    if last == 0:
        return steps
    if last >= len(steps):
        return []
    best = min(steps, key=losses.__getitem__)
    return [step for step in steps[:-last] if step != best]
