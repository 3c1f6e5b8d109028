# Trusts that the rows come sorted by self and takes the last unneeded caller.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    for name, _, total in reversed(rows):
        if name not in needed:
            return name, before / (before - total)
    return None, 1.0
