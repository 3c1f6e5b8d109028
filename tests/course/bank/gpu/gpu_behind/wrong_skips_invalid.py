# Skips an entry that means no GPU, and goes on.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            continue
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None
