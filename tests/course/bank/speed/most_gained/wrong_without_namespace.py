# Compares the names without the library in front of the two colons.
def most_gained(rows, needed):
    short = {name.split("::")[-1] for name in needed}
    before = sum(own for _, own, _ in rows)
    left_out = [(total, name) for name, _, total in rows if name.split("::")[-1] not in short]
    saved, name = max(left_out, default=(0.0, None))
    return name, before / (before - saved)
