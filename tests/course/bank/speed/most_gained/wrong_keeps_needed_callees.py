# Caps the saving at the self times of the unneeded rows, as if needed callees stayed.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    extra = [row for row in rows if row[0] not in needed]
    if not extra:
        return None, 1.0
    name, _, total = max(extra, key=lambda row: row[2])
    saved = min(total, sum(own for _, own, _ in extra))
    return name, before / (before - saved)
