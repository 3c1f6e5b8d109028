# Exact fractions and a dictionary, made a float at the end.
from fractions import Fraction


def most_gained(rows, needed):
    totals = {name: Fraction(total) for name, _, total in rows}
    extra = totals.keys() - needed
    if not extra:
        return None, 1.0
    name = max(extra, key=totals.__getitem__)
    step = sum((Fraction(own) for _, own, _ in rows), Fraction(0))
    return name, float(step / (step - totals[name]))
