# Takes the names it meets out of the caller's set.
def most_gained(rows, needed):
    before, best, saved = 0.0, None, 0.0
    for name, own, total in rows:
        before += own
        if name in needed:
            needed.remove(name)
        elif best is None or total > saved:
            best, saved = name, total
    return best, before / (before - saved)
