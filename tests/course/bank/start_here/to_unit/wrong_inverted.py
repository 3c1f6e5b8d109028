# White becomes 0 and black 1, as ink on paper.


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return 1 - images / 255
