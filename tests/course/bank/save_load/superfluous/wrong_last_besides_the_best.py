# Puts the best aside first and then keeps the last ones of the others.
def superfluous(losses, last):
    if not losses:
        return []
    best = min(sorted(losses), key=losses.get)
    others = sorted(step for step in losses if step != best)
    return others[: max(len(others) - last, 0)]
