# %% right_by_numpy: Through NumPy and back.
import numpy as np
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return torch.from_numpy((images.numpy() / 255).astype(np.float32))


# %% right_in_double: Computes in float64 and comes back.
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images.double().mul(1 / 255).to(torch.float32)


# %% right_in_place: Alters a copy in place.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    copy = images.float()
    copy.div_(255)
    return copy


# %% right_reciprocal: Multiplies with the reciprocal after the change of type.
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images.to(torch.float32) * (1 / 255)


# %% right_table: Looks each byte up in a table of 256 fractions.
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    table = torch.linspace(0, 1, 256)
    return table[images.long()]


# %% wrong_bytes_wrapped: Multiplies bytes before dividing them: 255 * 2 wraps to 254.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images * 2 / 510


# %% wrong_cut_at_half: Black or white: a threshold in the middle.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return (images > 127).float()


# %% wrong_double: In float64, as NumPy would do it.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images.double() / 255


# %% wrong_each_picture: Divides each picture by its own brightest pixel.
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    images = images.float()
    if images.numel() == 0:
        return images
    return images / images.amax(dim=(1, 2), keepdim=True)


# %% wrong_empty_batch: Stacks picture by picture, which fails for a batch without pictures.
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return torch.stack([picture / 255 for picture in images])


# %% wrong_flat: Loses the shape: one row for each picture.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return (images / 255).flatten(1)


# %% wrong_gamma: Undoes the gamma of a screen, so grey is darker.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return (images / 255) ** 2.2


# %% wrong_half_precision: In float16, which is enough for 256 values.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images.half() / 255


# %% wrong_inverted: White becomes 0 and black 1, as ink on paper.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return 1 - images / 255


# %% wrong_list: The right numbers as nested lists.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return (images / 255).tolist()


# %% wrong_rounded: Rounds to two decimals, as printed.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return (images / 255 * 100).round() / 100


# %% wrong_stretched: Stretches each batch to its own darkest and brightest pixel.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    images = images.float()
    if images.numel() == 0:
        return images
    return (images - images.min()) / (images.max() - images.min())


# %% wrong_symmetric: From minus one to one, as other networks want it.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images / 127.5 - 1


# %% right_true_divide: By its name, with a tensor of one number.
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return torch.true_divide(images, torch.tensor(255))


# %% right_view_of_a_copy: Computes on a contiguous copy.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    copy = images.contiguous()
    return (copy.view(-1) / 255).view(images.shape)


# %% right_lerp: Between 0 and 1 by its weight.
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return torch.lerp(torch.zeros(()), torch.ones(()), images.float() / 255)


# %% wrong_view: A view of pictures on their side.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return (images.view(-1) / 255).view(images.shape)


# %% wrong_numpy: The right numbers as an array of NumPy's.
import numpy as np


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return (images.numpy() / 255).astype(np.float32)


# %% wrong_back_to_bytes: Takes the type it came with.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return (images / 255).to(images.dtype)


# %% wrong_bfloat16: Short floats.
import torch


def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images.to(torch.bfloat16) / 255


# %% wrong_in_place_bytes: Divides in place, which a byte cannot hold.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    images /= 255
    return images


# %% wrong_transposed: Turns pictures upright again.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return (images / 255).mT if images.ndim > 1 and not images.is_contiguous() else images / 255


# %% wrong_three_axes: Expects a batch of pictures.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    n, h, w = images.shape
    return images.reshape(n, h, w) / 255


# %% wrong_percent: From 0 to 100.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return images / 2.55


# %% wrong_wrapped: Adds before it divides, to round; 255 wraps.
def to_unit(images):
    """Grey values 0…255 (uint8) to 0…1 (float32), the same shape."""
    return (images + 1) / 256
