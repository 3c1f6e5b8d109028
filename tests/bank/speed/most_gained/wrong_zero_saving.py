# Starts the search at zero, so an unneeded operation that took no time counts as none.
def most_gained(rows, needed):
    best, saved = None, 0.0
    for name, _, total in rows:
        if name not in needed and total > saved:
            best, saved = name, total
    before = sum(own for _, own, _ in rows)
    return best, before / (before - saved)
