# Turns the rows round, as files written from the bottom up need it.


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.flip(1).permute(0, 3, 1, 2).contiguous()
