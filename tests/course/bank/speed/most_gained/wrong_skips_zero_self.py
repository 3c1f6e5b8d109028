# Ignores operations without time of their own, so a pure caller is never proposed.
def most_gained(rows, needed):
    step = sum(row[1] for row in rows)
    candidates = [(total, name) for name, own, total in rows if name not in needed and own > 0]
    if not candidates:
        return None, 1.0
    total, name = max(candidates)
    return name, step / (step - total)
