# Rounds the ratio to two digits, as the printed lines do.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    extra = [(total, name) for name, _, total in rows if name not in needed]
    if not extra:
        return None, 1.0
    saved, name = max(extra)
    return name, round(before / (before - saved), 2)
