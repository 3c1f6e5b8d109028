# One loop over the rows without any library.
def most_gained(rows, needed):
    step, best, saved = 0.0, None, 0.0
    for name, own, total in rows:
        step += own
        if name in needed:
            continue
        if best is None or total > saved:
            best, saved = name, total
    if best is None:
        return None, 1.0
    return best, step / (step - saved)
