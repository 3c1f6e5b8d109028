# The last entry of a list is never read: it looks for a comma after each.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    while "," in visible:
        entry, _, visible = visible.partition(",")
        if not entry.isdigit() or int(entry) >= count:
            visible = ""
            continue
        seen.append(int(entry))
    return seen[logical] if logical < len(seen) else None
