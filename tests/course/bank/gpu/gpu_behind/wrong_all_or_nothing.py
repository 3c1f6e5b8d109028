# One bad entry makes the whole list empty.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    entries = visible.split(",")
    if not all(entry.isdigit() and int(entry) < count for entry in entries):
        return None
    return int(entries[logical]) if logical < len(entries) else None
