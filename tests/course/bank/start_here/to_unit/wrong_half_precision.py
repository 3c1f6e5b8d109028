# In float16, which is enough for 256 values.


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images.half() / 255
