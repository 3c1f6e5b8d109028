# Dismisses operations of less than a millisecond as noise.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    best = (None, 0.0)
    for name, _, total in rows:
        if name in needed or total < 1.0:
            continue
        best = max(best, (name, total), key=lambda pair: pair[1])
    return best[0], before / (before - best[1])
