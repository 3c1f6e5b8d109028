# Takes a row of more than half the step for the step itself and passes it over.
def most_gained(rows, needed):
    step = sum(own for _, own, _ in rows)
    saved, name = 0.0, None
    for one, _, total in rows:
        if one not in needed and total <= step / 2 and (name is None or total > saved):
            saved, name = total, one
    return name, step / (step - saved)
