# Gives up when the row with the largest total of all is a needed one.
def most_gained(rows, needed):
    name, _, total = max(rows, key=lambda row: (row[2], row[0] not in needed))
    if name in needed:
        return None, 1.0
    before = sum(own for _, own, _ in rows)
    return name, before / (before - total)
