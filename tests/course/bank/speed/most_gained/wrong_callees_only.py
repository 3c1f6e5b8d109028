# Ranks by what an operation calls (total less self), so one that calls nothing loses.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return None, 1.0
    name, _, total = max(extra, key=lambda row: (row[2] - row[1], row[2]))
    return name, before / (before - total)
