# Takes a row whose total exceeds the largest needed total for the frame and skips it.
def most_gained(rows, needed):
    step = sum(own for _, own, _ in rows)
    limit = max((total for name, _, total in rows if name in needed), default=float("inf"))
    extra = [row for row in rows if row[0] not in needed and row[2] <= limit]
    if not extra:
        return None, 1.0
    name, _, saved = max(extra, key=lambda row: row[2])
    return name, step / (step - saved)
