# Believes that everything is needed as soon as the set is as long as the list.
def most_gained(rows, needed):
    if len(needed) >= len(rows):
        return None, 1.0
    before = sum(own for _, own, _ in rows)
    saved, name = max((total, name) for name, _, total in rows if name not in needed)
    return name, before / (before - saved)
