# A loop from the newest to the oldest, with the best found by hand.
def superfluous(losses, last):
    best = None
    for step in losses:
        if best is None or losses[step] < losses[best] or (losses[step] == losses[best] and step < best):
            best = step
    result = []
    for rank, step in enumerate(sorted(losses, reverse=True)):
        if rank >= last and step != best:
            result.insert(0, step)
    return result
