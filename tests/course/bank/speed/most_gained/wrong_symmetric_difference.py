# Takes the names that are in only one of the two, so names needed but absent come in.
def most_gained(rows, needed):
    totals = {name: total for name, _, total in rows}
    before = sum(own for _, own, _ in rows)
    extra = set(totals) ^ needed
    if not extra:
        return None, 1.0
    name = max(extra, key=lambda one: totals.get(one, 0.0))
    return name, before / (before - totals.get(name, 0.0))
