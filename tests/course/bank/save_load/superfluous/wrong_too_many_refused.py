# Raises where more are to be kept than there are.
def superfluous(losses, last):
    if last > len(losses):
        raise ValueError("there are not so many checkpoints")
    if not losses:
        return []
    order = sorted(losses)
    best = min(order, key=lambda step: losses[step])
    return [step for step in order[: len(order) - last] if step != best]
