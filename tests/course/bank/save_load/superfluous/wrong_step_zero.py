# Asks whether the best step is true: step 0 is not, and is deleted.
def superfluous(losses, last):
    best = min(sorted(losses), key=losses.get, default=None)
    keep = sorted(losses, reverse=True)[:last]
    if best:
        keep.append(best)
    return sorted(set(losses) - set(keep))
