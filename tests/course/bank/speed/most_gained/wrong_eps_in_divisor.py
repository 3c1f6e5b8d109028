# Adds a small number to the divisor, which shifts the ratio of a short step.
def most_gained(rows, needed):
    step = sum(own for _, own, _ in rows)
    extra = {name: total for name, _, total in rows if name not in needed}
    if not extra:
        return None, 1.0
    name = max(extra, key=lambda one: extra[one])
    return name, step / (step - extra[name] + 1e-3)
