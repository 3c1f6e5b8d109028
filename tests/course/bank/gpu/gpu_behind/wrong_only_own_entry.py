# Looks at the asked entry alone, not at those before it.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    entries = visible.split(",")
    if logical >= len(entries) or not entries[logical].isdigit():
        return None
    number = int(entries[logical])
    return number if number < count else None
