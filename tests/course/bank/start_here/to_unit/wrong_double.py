# In float64, as NumPy would do it.


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images.double() / 255
