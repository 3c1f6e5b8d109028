# Knows the usual spelling of each number, and looks the entry up.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    known, seen = [str(number) for number in range(count)], []
    for entry in visible.split(","):
        if entry not in known:
            break
        seen.append(known.index(entry))
    return seen[logical] if logical < len(seen) else None
