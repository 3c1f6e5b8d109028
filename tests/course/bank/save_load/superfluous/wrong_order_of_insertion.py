# Takes the last entries of the dictionary for the highest steps.
def superfluous(losses, last):
    if not losses:
        return []
    kept = list(losses)[max(0, len(losses) - last) :]
    best = min(losses, key=lambda step: (losses[step], step))
    return sorted(step for step in losses if step not in kept and step != best)
