# Sums the different self times, so two equal ones count once.
def most_gained(rows, needed):
    before = sum({own for _, own, _ in rows})
    extra = [row for row in rows if row[0] not in needed]
    if extra == []:
        return None, 1.0
    name, _, saved = sorted(extra, key=lambda row: row[2])[-1]
    return name, before / (before - saved)
