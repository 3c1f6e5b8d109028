# Pops what is kept out of the caller's dictionary.
def superfluous(losses, last):
    if losses:
        best = min(losses, key=lambda step: (losses[step], step))
        for step in sorted(losses)[max(0, len(losses) - last) :]:
            losses.pop(step)
        losses.pop(best, None)
    return sorted(losses)
