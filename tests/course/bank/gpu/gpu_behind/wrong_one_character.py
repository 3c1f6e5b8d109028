# Reads every second character, so GPU 10 is GPU 1.


def gpu_behind(visible, logical, count):
    if visible is None:
        return logical if logical < count else None
    seen = []
    for character in visible[::2]:
        if not character.isdigit() or int(character) >= count:
            break
        seen.append(int(character))
    return seen[logical] if logical < len(seen) else None
