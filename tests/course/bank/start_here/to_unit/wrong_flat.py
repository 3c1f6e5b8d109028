# Loses the shape: one row for each picture.


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return (images / 255).flatten(1)
