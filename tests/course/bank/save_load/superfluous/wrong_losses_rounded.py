# Rounds the losses to three decimals before it compares them.
def superfluous(losses, last):
    steps = sorted(losses)
    kept = set(steps[max(0, len(steps) - last) :])
    best = min(steps, key=lambda step: round(losses[step], 3), default=None)
    return [step for step in steps if step not in kept | {best}]
