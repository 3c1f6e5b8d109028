# Takes GPU 0 for no GPU.


def gpu_behind(visible, logical, count):
    numbers = range(count) if visible is None else []
    for entry in (visible or "").split(","):
        if not (entry.isdigit() and int(entry) < count):
            break
        numbers.append(int(entry))
    return dict(enumerate(numbers)).get(logical) or None
