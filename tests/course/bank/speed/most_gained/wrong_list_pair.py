# Returns a list of two where a pair is asked for.
def most_gained(rows, needed):
    step = sum(own for _, own, _ in rows)
    extra = sorted((total, name) for name, _, total in rows if name not in needed)
    if not extra:
        return [None, 1.0]
    saved, name = extra.pop()
    return [name, step / (step - saved)]
