# Of equal losses it keeps the later step: later entries overwrite earlier ones in the turned dictionary.
def superfluous(losses, last):
    steps = sorted(losses)
    turned = {losses[step]: step for step in steps}
    kept = set(steps[max(0, len(steps) - last) :])
    if turned:
        kept.add(turned[min(turned)])
    return sorted(set(steps) - kept)
