# Takes the step for the needed rows plus the one chosen, so other unneeded rows are lost.
def most_gained(rows, needed):
    after = sum(own for name, own, _ in rows if name in needed)
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return None, 1.0
    name, _, total = max(extra, key=lambda row: row[2])
    return name, (after + total) / after
