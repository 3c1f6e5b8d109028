# Counts variants of a needed operation (needed name plus a suffix) as needed too.
def most_gained(rows, needed):
    before = sum(r[1] for r in rows)
    name, saved = None, 0.0
    for row in rows:
        if not row[0].startswith(tuple(needed)) and row[2] > saved:
            name, saved = row[0], row[2]
    return name, before / (before - saved)
