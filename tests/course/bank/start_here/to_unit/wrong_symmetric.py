# From minus one to one, as other networks want it.


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images / 127.5 - 1
