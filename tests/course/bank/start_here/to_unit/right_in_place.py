# Alters a copy in place.


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    copy = images.float()
    copy.div_(255)
    return copy
