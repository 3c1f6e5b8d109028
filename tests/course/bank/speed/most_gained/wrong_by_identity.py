# Compares the names as objects instead of by their letters.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    best_name, best_total = None, 0.0
    for name, _, total in rows:
        for other in needed:
            if other is name:
                break
        else:
            if total >= best_total:
                best_name, best_total = name, total
    return best_name, before / (before - best_total)
