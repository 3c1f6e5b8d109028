# Recursion: take the first entry off, count the logical number down.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    entry, _, rest = visible.partition(",")
    if not (entry.isascii() and entry.isdigit()) or int(entry) >= count:
        return None
    return int(entry) if logical == 0 else gpu_behind(rest, logical - 1, count)
