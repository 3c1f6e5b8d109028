# Counts the visible GPUs in rising order, not in the list's.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    seen.sort()
    return seen[logical] if logical < len(seen) else None
