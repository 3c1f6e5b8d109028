# %% right_ceiling: Counts the free starts and divides rounding up.
def conv_size(size, kernel, stride, padding):
    starts = size + padding + padding - (kernel - 1)
    return -(-starts // stride)


# %% right_layer: Asks a convolution on the meta device for its shape.
import torch
from torch import nn


def conv_size(size, kernel, stride, padding):
    layer = nn.Conv1d(1, 1, kernel, stride=stride, padding=padding, device="meta")
    return layer(torch.empty(1, 1, size, device="meta")).shape[2]


# %% right_unfold: The number of windows that unfold finds.
import torch
import torch.nn.functional as F


def conv_size(size, kernel, stride, padding):
    return F.pad(torch.ones(size), (padding, padding)).unfold(0, kernel, stride).size(0)


# %% right_walk: Walks the window along the padded axis until it hangs over.
def conv_size(size, kernel, stride, padding):
    places, right = 0, kernel - padding
    while right <= size + padding:
        places, right = places + 1, right + stride
    return places


# %% right_windows: Cuts the padded axis into windows with NumPy, and counts every stride-th.
import numpy as np
import torch


def conv_size(size, kernel, stride, padding):
    axis = np.pad(np.arange(size), padding)
    return len(np.lib.stride_tricks.sliding_window_view(axis, kernel)[::stride])


# %% wrong_dilated: Takes the stride for the distance between the window's pixels.
def conv_size(size, kernel, stride, padding):
    return size + 2 * padding - stride * (kernel - 1)


# %% wrong_divided_apart: Divides the size and the window by the stride one by one.
def conv_size(size, kernel, stride, padding):
    return (size + 2 * padding) // stride - kernel // stride + 1


# %% wrong_float: Gives a float without decimals instead of a whole number.
import numpy as np
import torch


def conv_size(size, kernel, stride, padding):
    return float(np.floor((size + 2 * padding - kernel) / stride)) + 1


# %% wrong_halved: Halves once for each stride above 1: right for the strides 1 and 2.
def conv_size(size, kernel, stride, padding):
    return (size + 2 * padding - kernel >> stride - 1) + 1


# %% wrong_never_one: A window as large as the padded picture is said to have no place.
def conv_size(size, kernel, stride, padding):
    room = size + 2 * padding - kernel
    if not room:
        return 0
    return room // stride + 1


# %% wrong_odd_kernels: Takes off half a window at each side: right for odd windows only.
def conv_size(size, kernel, stride, padding):
    half = kernel // 2
    return (size + 2 * padding - 2 * half - 1) // stride + 1


# %% wrong_one_inside: Adds the 1 before dividing: right for stride 1 only.
def conv_size(size, kernel, stride, padding):
    return (size + 2 * padding - kernel + 1) // stride


# %% wrong_padding_capped: Lets at most half a window of padding count, as pooling demands.
def conv_size(size, kernel, stride, padding):
    padding = min(padding, kernel // 2)
    return (size + 2 * padding - kernel) // stride + 1


# %% wrong_padding_on_one_side: Starts in the padding, but ends at the unpadded edge.
def conv_size(size, kernel, stride, padding):
    return sum(1 for left in range(-padding, size, stride) if left + kernel <= size)


# %% wrong_range_one_short: The range ends before the last place that fits exactly.
def conv_size(size, kernel, stride, padding):
    return len(range(0, size + 2 * padding - kernel, stride))


# %% wrong_rounded: Rounds to the nearest whole number.
def conv_size(size, kernel, stride, padding):
    return round((size - kernel + 2 * padding) / stride + 1)


# %% wrong_rounded_up: Rounds up, so a window that hangs over the other edge counts.
def conv_size(size, kernel, stride, padding):
    steps, left_over = divmod(size + 2 * padding - kernel, stride)
    return steps + 1 + (left_over > 0)


# %% wrong_same: The rule for "same" padding: the size divided by the stride, whatever the padding.
def conv_size(size, kernel, stride, padding):
    if padding == 0:
        return (size - kernel) // stride + 1
    return -(-size // stride)


# %% wrong_shape: Gives the shape of a square output instead of one number.
def conv_size(size, kernel, stride, padding):
    out = (size + 2 * padding - kernel) // stride + 1
    return (out, out)


# %% wrong_small_picture: A picture smaller than the window has no place, even where the padding makes it large enough.
def conv_size(size, kernel, stride, padding):
    if kernel > size:
        return 0
    return (size + 2 * padding - kernel) // stride + 1


# %% wrong_starts: Counts every start inside the padded picture, however little of the window is left.
def conv_size(size, kernel, stride, padding):
    count, start = 0, -padding
    while start < size + padding:
        count += 1
        start += stride
    return count


# %% wrong_stride_capped: A stride larger than the window is cut down to the window.
def conv_size(size, kernel, stride, padding):
    stride = min(stride, kernel)
    return (size + 2 * padding - kernel) // stride + 1


# %% wrong_swapped: Hands stride and padding to the layer the other way round.
import torch
from torch import nn


def conv_size(size, kernel, stride, padding):
    layer = nn.Conv1d(1, 1, kernel, max(padding, 1), stride - 1)
    return layer(torch.zeros(1, 1, size)).shape[-1]


# %% wrong_tensor: Gives a tensor with one element instead of a whole number.
import torch


def conv_size(size, kernel, stride, padding):
    room = torch.tensor([size + 2 * padding - kernel])
    return torch.div(room, stride, rounding_mode="floor") + 1


# %% wrong_transposed: The size that a transposed convolution makes.
def conv_size(size, kernel, stride, padding):
    return (size - 1) * stride - 2 * padding + kernel


# %% wrong_split_floor: Divides the picture and the padding by the stride one by one: right for the strides 1 and 2.
def conv_size(size, kernel, stride, padding):
    return (size - kernel) // stride + 2 * padding // stride + 1


# %% wrong_int16: Computes in 16 bits, which end at 32,767.
import torch


def conv_size(size, kernel, stride, padding):
    size, kernel, stride, padding = torch.tensor([size, kernel, stride, padding]).to(torch.int16)
    return int((size + 2 * padding - kernel) // stride + 1)


# %% wrong_padding_by_stride: The padding makes one more place on each side for each whole stride in it.
def conv_size(size, kernel, stride, padding):
    return (size - kernel) // stride + 1 + 2 * (padding // stride)


# %% wrong_thousand: Tries a thousand starts at most.
def conv_size(size, kernel, stride, padding):
    places = 0
    for number in range(1000):
        if number * stride + kernel <= size + 2 * padding:
            places += 1
    return places


# %% wrong_half_precision: Divides in float16, which knows no whole numbers above 2,048 one by one.
import torch


def conv_size(size, kernel, stride, padding):
    length = torch.tensor(size + 2 * padding - kernel, dtype=torch.float16)
    return int((length / stride).floor()) + 1


# %% wrong_one_side: Padding counted on one side only.
def conv_size(size, kernel, stride, padding):
    return max(0, size + padding - kernel) // stride + 1


# %% wrong_ceil: Counts a last place that hangs over the edge.
def conv_size(size, kernel, stride, padding):
    return -(-(size + 2 * padding - kernel) // stride) + 1


# %% wrong_float_again: Returns a float.
def conv_size(size, kernel, stride, padding):
    return (size + 2 * padding - kernel) / stride // 1 + 1


# %% wrong_reciprocal: Multiplies with the rounded reciprocal, 49 * (1 / 49) is below 1.
def conv_size(size, kernel, stride, padding):
    return int((size + 2 * padding - kernel) * (1 / stride)) + 1


# %% wrong_recursive: Right on small pictures, too deep a recursion on large ones.
def conv_size(size, kernel, stride, padding):
    room = size + 2 * padding
    if room < kernel:
        return 0
    return 1 + conv_size(room - stride, kernel, stride, 0)


# %% wrong_round: Rounds instead of cutting off.
def conv_size(size, kernel, stride, padding):
    return round((size + 2 * padding - kernel) / stride) + 1


# %% wrong_tensor_again: Returns a tensor, not an int.
import torch


def conv_size(size, kernel, stride, padding):
    return torch.tensor(size + 2 * padding - kernel) // stride + 1


# %% wrong_starts_in_picture: Places that begin in the padding on the right are not counted.
def conv_size(size, kernel, stride, padding):
    return sum(1 for start in range(-padding, size, stride) if start + kernel <= size + padding)


# %% right_range: The length of a range.
def conv_size(size, kernel, stride, padding):
    return len(range(-padding, size + padding - kernel + 1, stride))


# %% right_unfold_again: Lets unfold count on a tensor without memory.
import torch


def conv_size(size, kernel, stride, padding):
    return torch.empty(size + 2 * padding, device="meta").unfold(0, kernel, stride).shape[0]


# %% right_bisect: Searches the last place by halving.
def conv_size(size, kernel, stride, padding):
    lo, hi = 1, size + 2 * padding + 1
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if (mid - 1) * stride + kernel <= size + 2 * padding:
            lo = mid
        else:
            hi = mid
    return lo


# %% wrong_float32_reciprocal: Multiplies by the reciprocal in float32.
import numpy as np


def conv_size(size, kernel, stride, padding):
    return int(np.float32(size + 2 * padding - kernel) * (np.float32(1) / np.float32(stride))) + 1


# %% wrong_tolerant: Adds a ten-thousandth before it cuts off, against rounding: almost one more stride counts as one.
def conv_size(size, kernel, stride, padding):
    return int((size + 2 * padding - kernel) / stride + 1e-4) + 1


# %% wrong_sixteen_bits_on: Keeps the room in 17 bits.
def conv_size(size, kernel, stride, padding):
    return (size + 2 * padding - kernel & 0x1FFFF) // stride + 1


# %% wrong_numpy_whole: Gives a whole number of NumPy's.
import numpy as np


def conv_size(size, kernel, stride, padding):
    return np.int64(size + 2 * padding - kernel) // stride + 1


# %% wrong_two_hundred_fifty_six: Counts the starts in one byte.
import torch


def conv_size(size, kernel, stride, padding):
    return int(torch.tensor((size + 2 * padding - kernel) // stride + 1).to(torch.uint8))
