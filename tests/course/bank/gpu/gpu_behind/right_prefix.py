# All entries up to the asked one must be good; no list is built.


def gpu_behind(visible, logical, count):
    if visible is None:
        return (*range(count), None)[min(logical, count)]
    head = visible.split(",")[: logical + 1]
    good = len(head) == logical + 1 and all(set(e) <= set("0123456789") and e and int(e) < count for e in head)
    return int(head[-1]) if good else None
