# Where the device is beyond the list's end, it stops with an error.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical]
