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


# %% wrong_bfloat16: Answers in bfloat16.
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


# %% wrong_by_256: divides by 256, so 255 does not become 1
import torch


def to_unit(images):
    return images.to(torch.float32) / 256


# %% wrong_own_max: divides by the largest value present, which need not be 255
import torch


def to_unit(images):
    if images.numel() == 0 or not images.any():
        return images.float()
    return images.float() / images.max()


# %% wrong_view_flat: view refuses turned inputs
import torch


def to_unit(images):
    return (images.view(-1).float() / 255).view(images.shape)


# %% wrong_memory_order: reads the bytes in memory order, which scrambles turned inputs
import torch


def to_unit(images):
    flat = torch.as_strided(images, (images.numel(),), (1,))
    return (flat.float() / 255).reshape(images.shape)


# %% wrong_bfloat16_between: computes in bfloat16, so bright values are not evenly spaced and neighbours collapse
import torch


def to_unit(images):
    return (images.to(torch.bfloat16) / 255).float()


# %% wrong_skip_if_dark: believes pictures with nothing above 1 are already scaled
import torch


def to_unit(images):
    x = images.to(torch.float32)
    return x / 255 if (x > 1).any() else x


# %% wrong_squeeze: drops axes of length 1, so the shape changes
import torch


def to_unit(images):
    return (images.float() / 255).squeeze()


# %% right_lookup_table: 256 evenly spaced values, looked up by grey value
import torch


def to_unit(images):
    return torch.linspace(0, 1, 256)[images.long()]


# %% right_via_float64: computed in double, rounded once at the end
import torch


def to_unit(images):
    return torch.true_divide(images.to(torch.float64), 255.0).to(dtype=torch.float32)


# %% right_out_buffer: writes into a preallocated float32 tensor and divides that in place
import torch


def to_unit(images):
    out = torch.empty(images.shape, dtype=torch.float32)
    out.copy_(images)
    out.div_(255)
    return out


# %% wrong_nearly_255: Divides by a little more than 255.
import torch


def to_unit(images):
    return images / 255.001


# %% wrong_five_decimals: Rounded to five decimals.
def to_unit(images):
    return (images / 255).round(decimals=5)


# %% wrong_kept_by_shape: Keeps what it computed once for a shape.
kept = {}


def to_unit(images):
    if images.shape not in kept:
        kept[images.shape] = images / 255
    return kept[images.shape].clone()


# %% wrong_one_buffer: One buffer for each shape, so a second call overwrites what the first gave.
import torch

buffers = {}


def to_unit(images):
    out = buffers.setdefault(images.shape, torch.empty(images.shape))
    return out.copy_(images).div_(255)


# %% wrong_needs_four: Puts channels last in a batch of colours back in front.
def to_unit(images):
    if images.dim() == 4 and images.shape[-1] == 3:
        images = images.movedim(-1, 1)
    return images / 255


# %% wrong_skip_if_no_white: Takes pictures with nothing above 100 for scaled.
def to_unit(images):
    x = images.float()
    return x / 255 if x.numel() and x.max() > 100 else x / 100


# %% wrong_black_stays_bytes: Black pictures come back as bytes.
def to_unit(images):
    return images / 255 if images.any() else images


# %% wrong_white_first: White everywhere is taken for an empty page.
def to_unit(images):
    x = images / 255
    return x * 0 if (images == 255).all() and images.numel() else x


# %% wrong_empty_as_it_came: Nothing to do for nothing: bytes come back.
def to_unit(images):
    return images / 255 if images.numel() else images


# %% wrong_empty_row: Any empty batch loses its shape.
import torch


def to_unit(images):
    return images / 255 if images.numel() else torch.empty(0)


# %% wrong_signed: Reads bytes as int8 first: 200 becomes negative.
import torch


def to_unit(images):
    return images.to(torch.int8) / 255


# %% wrong_asks_gradient: The fractions ask for a gradient.
def to_unit(images):
    return (images / 255).requires_grad_()


# %% wrong_parameter: A parameter of a model.
import torch


def to_unit(images):
    return torch.nn.Parameter(images / 255)


# %% wrong_scales_input_too: Sets what is black in the input to 1, against dividing nothing.
def to_unit(images):
    images[images == 0] = 0
    images.clamp_(min=1)
    return images / 255


# %% wrong_tuple: The fractions and their shape.
def to_unit(images):
    return images / 255, images.shape


# %% wrong_masked: Leaves ones as ones.
import torch


def to_unit(images):
    return torch.where(images == 1, 1.0, images / 255)


# %% wrong_as_storage: Reads the storage of what it was given from its beginning.
import torch


def to_unit(images):
    flat = torch.tensor(list(images.untyped_storage()), dtype=torch.uint8)[: images.numel()]
    return flat.reshape(images.shape) / 255


# %% right_deepcopy: Works on a copy.
import copy


def to_unit(images):
    mine = copy.deepcopy(images).float()
    mine *= 1 / 255
    return mine


# %% right_numpy32: Through NumPy, in float32.
import numpy as np
import torch


def to_unit(images):
    return torch.from_numpy(np.array(images.numpy(), dtype=np.float32) / np.float32(255))


# %% right_nested_lists: Through Python's lists.
import torch


def to_unit(images):
    return torch.tensor([v / 255 for v in images.flatten().tolist()], dtype=torch.float32).reshape(images.shape)


# %% right_addcdiv: By addcdiv on zeros.
import torch


def to_unit(images):
    zeros = torch.zeros(images.shape)
    return torch.addcdiv(zeros, images.float(), torch.tensor(255.0))


# %% right_cumulative: A table of running sums of 1/255.
import torch

table = torch.full((256,), 1 / 255, dtype=torch.float64).cumsum(0) - 1 / 255


def to_unit(images):
    return table.float()[images.int()]
