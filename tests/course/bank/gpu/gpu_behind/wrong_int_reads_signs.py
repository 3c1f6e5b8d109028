# Asks int(), which also reads +1 and 1_0, not made of digits alone.


def gpu_behind(visible, logical, count):
    if visible is None:
        visible = ",".join(map(str, range(count)))
    physical = {}
    for position, entry in enumerate(visible.split(",")):
        try:
            number = int(entry)
        except ValueError:
            break
        if not 0 <= number < count:
            break
        physical[position] = number
    return physical.get(logical)
