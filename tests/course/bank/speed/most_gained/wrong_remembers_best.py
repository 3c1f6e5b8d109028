# Keeps the best of earlier calls in a default argument.
def most_gained(rows, needed, best=[None, 0.0]):
    for name, _, total in rows:
        if name not in needed and total > best[1]:
            best[:] = [name, total]
    before = sum(own for _, own, _ in rows)
    return best[0], before / (before - best[1])
