# Where the variable is unset, any number is handed back.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical
    seen = []
    for entry in visible.split(","):
        if not entry.isdecimal() or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None
