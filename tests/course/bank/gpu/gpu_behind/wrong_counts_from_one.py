# Counts the logical devices from 1.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical - 1] if 0 < logical <= len(seen) else None
