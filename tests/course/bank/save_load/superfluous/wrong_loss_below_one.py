# Starts the search for the best at 1.0: where all losses are higher, none is kept for its loss.
def superfluous(losses, last):
    best, lowest = None, 1.0
    for step in sorted(losses):
        if losses[step] < lowest:
            best, lowest = step, losses[step]
    recent = sorted(losses, reverse=True)[:last]
    return sorted(step for step in losses if step != best and step not in recent)
