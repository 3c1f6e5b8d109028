# Sorts pairs of falling memory and rising number.


def freest_gpu(records):
    order = sorted((-free, number) for number, (_, free, there) in enumerate(records) if there)
    return order[0][1] if order else None
