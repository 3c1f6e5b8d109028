# Adds up only the twelve rows that the printed table would show.
def most_gained(rows, needed):
    rows = sorted(rows, key=lambda row: -row[1])[:12]
    step = sum(own for _, own, _ in rows)
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return (None, 1.0)
    best = max(extra, key=lambda row: row[2])
    return (best[0], step / (step - best[2]))
