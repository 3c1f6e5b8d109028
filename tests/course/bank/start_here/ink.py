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


# %% wrong_double: Leaves the mean in float64.
def ink(images):
    """Mean grey value of each picture, 0…1: (N, H, W) uint8 to (N,) float32."""
    return images.double().mean(dim=(1, 2)) / 255
