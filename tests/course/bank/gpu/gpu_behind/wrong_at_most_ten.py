# Reads only entries of one digit; a second digit ends the list.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for entry in visible.split(","):
        if entry not in set("0123456789") or int(entry) >= count:
            break
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None
