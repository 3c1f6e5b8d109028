# Finds the logical number of a physical GPU, the other way round.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen.index(logical) if logical in seen else None
