# Files the names under their total, so a needed row hides an unneeded one with the same total.
def most_gained(rows, needed):
    by_total = {}
    for name, _, total in rows:
        by_total[total] = name
    before = sum(own for _, own, _ in rows)
    for total in sorted(by_total, reverse=True):
        if by_total[total] not in needed:
            return by_total[total], before / (before - total)
    return None, 1.0
