# Recursion over the list, carrying the sum and the best row.
def most_gained(rows, needed):
    def walk(i, step, best):
        if i == len(rows):
            return step, best
        name, own, total = rows[i]
        if name not in needed and (best is None or best[1] < total):
            best = (name, total)
        return walk(i + 1, step + own, best)

    step, best = walk(0, 0, None)
    return (None, 1.0) if best is None else (best[0], step / (step - best[1]))
