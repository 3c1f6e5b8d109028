# %% wrong_comprehension: A loop over the pictures, where none is asked for.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    means = [picture.double().mean().item() / 255 for picture in images]
    return torch.tensor(means, dtype=torch.float32)


# %% right_einsum: A sum by einsum, then divided.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    area = images.shape[1] * images.shape[2]
    return torch.einsum("nhw->n", images.float()) / (255 * area)


# %% right_matmul: A product with a column of equal weights.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    flat = images.reshape(len(images), images.shape[1] * images.shape[2]).float()
    weights = torch.full((flat.shape[1],), 1 / (255 * flat.shape[1]))
    return flat @ weights


# %% right_one_axis_at_a_time: Mean of the rows' means: all rows are equally long.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return images.to(torch.float32).mean(dim=-1).mean(dim=-1).div(255)


# %% right_whole_sums: Sums whole numbers, exact, and divides once.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return images.sum(dim=(1, 2)) / (255 * images[0:1].numel() if len(images) else 1)


# %% wrong_brightest_first: The right means, sorted.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images / 255).mean(dim=(1, 2)).sort(descending=True).values


# %% wrong_divided_by_28: Assumes pictures of 28 by 28.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images / 255).sum(dim=(1, 2)) / 784


# %% wrong_float64: In float64, as the sums are exact there.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return images.double().mean(dim=(1, 2)) / 255


# %% wrong_int_mean: Means of bytes cut to whole numbers first.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    area = images.shape[1] * images.shape[2]
    return images.long().sum(dim=(1, 2)) // area / 255


# %% wrong_kept_axes: Keeps the averaged axes: (N, 1, 1).
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images / 255).mean(dim=(1, 2), keepdim=True)


# %% wrong_list_of_numbers: A list of Python numbers instead of a tensor.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return [float((picture / 255).mean()) for picture in images]


# %% wrong_mean_of_extremes: Half-way between the darkest and the brightest pixel.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    grey = (images / 255).flatten(1)
    return (grey.amin(dim=1) + grey.amax(dim=1)) / 2


# %% wrong_median: The middle value of each picture instead of its mean.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images / 255).flatten(1).median(dim=1).values


# %% wrong_paper: How much is white paper: one minus the mean.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return 1 - (images / 255).mean(dim=(1, 2))


# %% wrong_share_of_white: Counts the pixels that are not black, not how bright they are.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images > 0).float().mean(dim=(1, 2))


# %% wrong_square: Assumes pictures as wide as high.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images / 255).sum(dim=(1, 2)) / images.shape[1] ** 2


# %% wrong_squeezed: Squeezes the result, so that one picture gives a number without an axis.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images / 255).mean(dim=(1, 2)).squeeze()


# %% wrong_stack: Fails for a batch without pictures, where there is nothing to stack.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return torch.stack([(picture / 255).mean() for picture in images])


# %% wrong_sum_in_bytes: Sums as bytes, which wrap at 256.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    area = images.shape[1] * images.shape[2]
    return images.sum(dim=(1, 2), dtype=torch.uint8) / 255 / area


# %% right_flattened: All pixels of a picture in one row.
def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return images.flatten(1).float().mean(dim=1) / 255


# %% wrong_vmap: Maps one picture's mean over the batch, which an empty one refuses.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return torch.vmap(lambda picture: picture.float().mean() / 255)(images)


# %% right_named_axes: Axes counted from the end, dtype given to mean.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return images.mean(dim=(-2, -1), dtype=torch.float32).div(255)


# %% wrong_loop_for_empty: A comprehension that minds the empty batch.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    if not len(images):
        return torch.empty(0)
    return torch.stack([picture.float().mean() / 255 for picture in images])


# %% wrong_view: A view, which a batch on its side refuses.
def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images.view(images.shape[0], images.shape[1] * images.shape[2]) / 255).mean(dim=1)


# %% wrong_minus_one: reshape cannot guess the length of nothing.
def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images.reshape(len(images), -1) / 255).mean(dim=1)


# %% wrong_numpy: The right numbers as an array of NumPy's.
def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return (images.numpy() / 255).mean(axis=(1, 2)).astype("float32")


# %% wrong_map: A loop by another name.
import torch


def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    means = map(lambda picture: picture.float().mean() / 255, images)
    return torch.tensor(list(means), dtype=torch.float32)


# %% wrong_axes: averages over number and height, one mean per column
import torch


def ink(images):
    return images.float().mean(dim=(0, 1)) / 255


# %% wrong_view_again: view refuses batches on their side
import torch


def ink(images):
    n, h, w = images.shape
    return images.view(n, h * w).float().mean(dim=1) / 255


# %% wrong_empty_reshape: reshape with -1 is ambiguous for N of 0 and fails
import torch


def ink(images):
    return images.reshape(images.shape[0], -1).float().mean(1) / 255


# %% wrong_784: the picture size 28 times 28 is built in
import torch


def ink(images):
    return images.float().sum(dim=(1, 2)) / (255 * 784)


# %% wrong_half_sum: sums in float16, which becomes inf for bright pictures above 65504
import torch


def ink(images):
    h, w = images.shape[1:]
    return (images.half().sum(dim=(1, 2)) / (h * w)).float() / 255


# %% wrong_loop: right numbers, but a loop over the pictures, which the statement forbids
import torch


def ink(images):
    out = torch.zeros(len(images))
    for i in range(len(images)):
        out[i] = images[i].float().mean() / 255
    return out


# %% wrong_keepdim: the shape is (N, 1, 1) and not (N,)
import torch


def ink(images):
    return images.float().mean(dim=(1, 2), keepdim=True) / 255


# %% right_integer_sum: exact sum in int64, one division at the end
import torch


def ink(images):
    _, h, w = images.shape
    return images.sum(dim=(1, 2), dtype=torch.int64).div(255 * h * w).to(torch.float32)


# %% right_einsum_again: contraction with a constant weight picture in float64
import torch


def ink(images):
    _, h, w = images.shape
    weight = torch.full((h, w), 1 / (255 * h * w), dtype=torch.float64)
    return torch.einsum("nhw,hw->n", images.double(), weight).float()


# %% right_mean_of_means: flatten from axis 1 and the dtype argument of mean
import torch


def ink(images):
    return images.flatten(start_dim=1).mean(-1, dtype=torch.float32).mul(1 / 255)


# %% wrong_five_decimals: Rounded to five decimals.
def ink(images):
    return (images / 255).mean(dim=(1, 2)).round(decimals=5)


# %% wrong_squeezed_picture: Squeezes the pictures first.
import torch


def ink(images):
    flat = (images / 255).squeeze()
    return flat.mean(dim=tuple(range(1, flat.dim()))) if flat.dim() > 1 else flat.reshape(len(images), -1).mean(1)


# %% wrong_bfloat_mean: Means in bfloat16.
import torch


def ink(images):
    return (images / 255).bfloat16().mean(dim=(1, 2)).float()


# %% wrong_int16_sum: Sums in int16.
import torch


def ink(images):
    return images.sum(dim=(1, 2), dtype=torch.int16) / (255 * images[0].numel() if len(images) else 1)


# %% wrong_one_buffer: One buffer by number of pictures.
import torch

buffers = {}


def ink(images):
    out = buffers.setdefault(len(images), torch.zeros(len(images)))
    return out.copy_((images / 255).mean(dim=(1, 2)))


# %% wrong_kept_by_shape: Keeps the means of a shape.
kept = {}


def ink(images):
    if images.shape not in kept:
        kept[images.shape] = (images / 255).mean(dim=(1, 2))
    return kept[images.shape].clone()


# %% wrong_std_of: The right mean where rows are long, the median of rows where a picture is one column.
def ink(images):
    rows = (images / 255).mean(dim=2)
    return rows.mean(dim=1) if images.shape[1] != 1 else rows


# %% wrong_one_row: Takes pictures of one row for a batch of rows.
def ink(images):
    if images.shape[1] == 1:
        return (images / 255).squeeze(1)
    return (images / 255).mean(dim=(1, 2))


# %% wrong_trimmed: Without the frame of one pixel, which is empty in digits.
def ink(images):
    return (images[:, 1:-1, 1:-1] / 255).sum(dim=(1, 2)) / (images.shape[1] * images.shape[2])


# %% wrong_rows_summed_in_bytes: Each row's sum in bytes.
import torch


def ink(images):
    return images.sum(2, dtype=torch.uint8).float().sum(1) / 255 / (images.shape[1] * images.shape[2])


# %% wrong_over_ink: Means over what is not black.
def ink(images):
    x = images / 255
    return x.sum((1, 2)) / (x > 0).sum((1, 2)).clamp(min=1)


# %% wrong_storage_rows: Rows of the storage.
import torch


def ink(images):
    n, h, w = images.shape
    return torch.as_strided(images, (n, h * w), (h * w, 1)).float().mean(1) / 255


# %% wrong_alters: Turns what is nearly black to black in the input.
def ink(images):
    images[images < 8] = 0
    return (images / 255).mean((1, 2))


# %% wrong_recursion: Halves the batch and calls itself.
import torch


def ink(images):
    if len(images) < 2:
        return (images / 255).mean((1, 2))
    return torch.cat((ink(images[:1]), ink(images[1:])))


# %% wrong_vectorized: NumPy's apply over the axis, a loop in disguise.
import numpy as np
import torch


def ink(images):
    flat = images.reshape(len(images), images.shape[1] * images.shape[2]).numpy() / 255
    return torch.from_numpy(np.apply_along_axis(np.mean, 1, flat).astype(np.float32))


# %% wrong_thousandth: Reads at most 256 pictures.
def ink(images):
    return (images[:256] / 255).mean((1, 2))


# %% wrong_byte_index: Sums by index in bytes, which wraps after 256 pictures.
import torch


def ink(images):
    n, h, w = images.shape
    number = torch.arange(n).to(torch.uint8).long()[:, None, None].expand(n, h, w)
    return torch.zeros(n).index_add_(0, number.reshape(n * h * w), images.float().reshape(n * h * w)) / (
        255 * h * w
    )


# %% right_pooling: By adaptive pooling to one pixel.
import torch.nn.functional as F


def ink(images):
    return F.adaptive_avg_pool2d((images / 255)[:, None], 1)[:, 0, 0, 0]


# %% right_numpy_mean: By NumPy's mean, in float32 at the end.
import torch


def ink(images):
    return torch.from_numpy(images.numpy().mean(axis=(1, 2)).astype("float32") / 255).float()


# %% right_matrix_ones: By a product with ones.
import torch


def ink(images):
    n, h, w = images.shape
    return (images.reshape(n, h * w).float() @ torch.ones(h * w)) / (h * w * 255)


# %% right_columns_first: Columns first, then rows.
def ink(images):
    return images.float().div(255).mean(1).mean(1)


# %% right_histogram: A bincount of each picture's number weighted by its bytes.
import torch


def ink(images):
    n, h, w = images.shape
    number = torch.arange(n).repeat_interleave(h * w)
    sums = torch.bincount(number, weights=images.reshape(n * h * w).double(), minlength=n)
    return (sums / (h * w * 255)).float()
