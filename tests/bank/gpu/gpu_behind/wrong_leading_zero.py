# Knows only the usual spelling: 01, of digits alone and below count, ends its list.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    known, seen = [str(number) for number in range(count)], []
    for entry in visible.split(","):
        if entry not in known:
            break
        seen.append(known.index(entry))
    return seen[logical] if logical < len(seen) else None
