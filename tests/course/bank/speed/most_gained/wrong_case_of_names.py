# Compares the names in lower case, so a name that differs only in capitals is needed.
def most_gained(rows, needed):
    keep = {name.lower() for name in needed}
    step = sum(own for _, own, _ in rows)
    extra = [row for row in rows if row[0].lower() not in keep]
    name, _, saved = max(extra, key=lambda row: row[2]) if extra else (None, 0, 0)
    return name, step / (step - saved)
