# Sorts the caller's list of rows in place.
def most_gained(rows, needed):
    step = sum(own for _, own, _ in rows)
    rows.sort(key=lambda row: row[2], reverse=True)
    for name, _, total in rows:
        if name not in needed:
            return name, step / (step - total)
    return None, 1.0
