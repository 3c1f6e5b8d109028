# Names the largest but leaves out everything unneeded at once.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    after = sum(own for name, own, _ in rows if name in needed)
    extra = {name: total for name, _, total in rows if name not in needed}
    if not extra:
        return None, 1.0
    return max(extra, key=extra.get), before / after
