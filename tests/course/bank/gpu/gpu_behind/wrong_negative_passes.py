# Reads -1 as a number below count, so it does not end the list.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        try:
            number = int(entry)
        except ValueError:
            break
        if number >= count:
            break
        seen.append(number)
    return seen[logical] if logical < len(seen) else None
