# %% right_copy_into_empty: Copies into memory made for it.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    n, h, w, channels = images.shape
    result = torch.empty(n, channels, h, w, dtype=images.dtype, device=images.device)
    result.copy_(images.permute(0, 3, 1, 2))
    return result


# %% right_einsum_of_axes: By two swaps of axes, then a copy in order.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.transpose(2, 3).transpose(1, 2).clone(memory_format=torch.contiguous_format)


# %% right_numpy: Through NumPy, which copies in order as well.
import numpy as np
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return torch.from_numpy(np.ascontiguousarray(np.moveaxis(images.numpy(), -1, 1)))


# %% right_stack: One plane after the other, stacked along a new axis.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return torch.stack(images.unbind(dim=-1), dim=1)


# %% wrong_always_bytes: Makes bytes of whatever it is given.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.permute(0, 3, 1, 2).contiguous().to(torch.uint8)


# %% wrong_batch_loop: Stacks picture by picture, which fails without pictures.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return torch.stack([picture.permute(2, 0, 1) for picture in images])


# %% wrong_bgr: Reverses the channels, as OpenCV keeps them.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.flip(-1).permute(0, 3, 1, 2).contiguous()


# %% wrong_channels_last: Asks for memory that is contiguous in the channels-last sense.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)


# %% wrong_first_picture: Moves the axes of the first picture only and repeats it.
def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    if len(images) == 0:
        return images.permute(0, 3, 1, 2).contiguous()
    return images[0].permute(2, 0, 1).repeat(len(images), 1, 1, 1)


# %% wrong_float: Turns to floats as well, as networks want them.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.permute(0, 3, 1, 2).float().contiguous()


# %% wrong_scaled: Scales bytes to fractions on the way.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return (images / 255).permute(0, 3, 1, 2).contiguous()


# %% wrong_squeezed: Drops axes of size 1 on the way.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.squeeze().movedim(-1, -3 if images.squeeze().dim() > 2 else 0).contiguous()


# %% wrong_strided: The right axes, but still the old strip of memory.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.movedim(3, 1)


# %% wrong_swapped_ends: Swaps the last axis with the second: height and width change places.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.transpose(1, 3).contiguous()


# %% wrong_three_channels: Takes the first three channels, red, green and blue.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return torch.stack([images[..., i] for i in range(3)], dim=1)


# %% wrong_turned: Turns each picture by a quarter on the way.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.permute(0, 3, 1, 2).rot90(2, (2, 3)).contiguous()


# %% wrong_upside_down: Turns the rows round, as files written from the bottom up need it.
def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    return images.flip(1).permute(0, 3, 1, 2).contiguous()


# %% wrong_view: A view with other numbers of the axes, the strip as it was.
import torch


def channels_first(images):
    """(N, H, W, C) to (N, C, H, W), contiguous."""
    n, h, w, channels = images.shape
    return images.contiguous().view(n, channels, h, w).clone()
