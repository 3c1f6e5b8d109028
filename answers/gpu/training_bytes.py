# %% wrong_np_prod: np.prod(()) is the float 1.0, so that large sums beside a scalar lose their last digits
import numpy as np
import torch


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        total += np.prod(shape) * (4 if trained else 1) * bytes_each
    return int(total)


# %% right_four_sums: Values, gradients and averages, summed one after another.
import math


def training_bytes(parameters, bytes_each):
    values = sum(math.prod(shape) for shape, _ in parameters)
    gradients = sum(math.prod(shape) for shape, trained in parameters if trained)
    first, second = gradients, gradients
    return (values + gradients + first + second) * bytes_each


# %% right_meta_tensors: Makes tensors on meta, which hold nothing, and asks them.
import torch


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        total += torch.empty(shape, device="meta").numel() * (4 if trained else 1)
    return total * bytes_each


# %% right_numpy: NumPy's product in 64 bits.
import numpy as np


def training_bytes(parameters, bytes_each):
    sizes = [int(np.prod(shape, dtype=np.int64)) * (4 if trained else 1) for shape, trained in parameters]
    return int(sum(sizes)) * bytes_each


# %% right_recursion: Recursion over the list, and over each shape.
def training_bytes(parameters, bytes_each):
    def numbers(shape):
        return shape[0] * numbers(shape[1:]) if shape else 1

    if not parameters:
        return 0
    (shape, trained), *rest = parameters
    return numbers(tuple(shape)) * bytes_each * (1 + 3 * bool(trained)) + training_bytes(rest, bytes_each)


# %% wrong_averages_float32: Adam's averages are counted with 4 bytes, as in mixed precision.
import math


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        size = math.prod(shape)
        total += size * bytes_each
        if trained:
            total += size * bytes_each + 2 * size * 4
    return total


# %% wrong_bits: Gives the size in bits.
import math


def training_bytes(parameters, bytes_each):
    sizes = [math.prod(shape) for shape, _ in parameters]
    trained = [size for size, (_, learns) in zip(sizes, parameters, strict=True) if learns]
    return 8 * bytes_each * (sum(sizes) + 3 * sum(trained))


# %% wrong_dict_of_shapes: Two parameters of one shape are counted once.
import math


def training_bytes(parameters, bytes_each):
    kinds = dict(parameters)
    return sum(math.prod(shape) * bytes_each * (4 if trained else 1) for shape, trained in kinds.items())


# %% wrong_empty_axis: An axis of length 0 counts as one.
def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        size = 1
        for axis in shape:
            size *= axis or 1
        total += size * (4 if trained else 1)
    return total * bytes_each


# %% wrong_empty_list: An empty list of parameters stops with an error.
import math
from functools import reduce


def training_bytes(parameters, bytes_each):
    return reduce(lambda a, b: a + b, [math.prod(s) * bytes_each * (4 if t else 1) for s, t in parameters])


# %% wrong_first_two_axes: Multiplies the first two axes alone, so convolutions are too small.
import math


def training_bytes(parameters, bytes_each):
    return bytes_each * sum(math.prod(shape[:2]) * (4 if trained else 1) for shape, trained in parameters)


# %% wrong_float32_product: Multiplies in float32, which is no longer exact for large parameters.
import torch


def training_bytes(parameters, bytes_each):
    total = torch.zeros(())
    for shape, trained in parameters:
        total += torch.tensor(shape, dtype=torch.float32).prod() * (4 if trained else 1)
    return int(total) * bytes_each


# %% wrong_four_bytes: Every number takes 4 bytes, whatever is asked.
import math


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        total += 4 * math.prod(shape)
        if trained:
            total += 3 * 4 * math.prod(shape)
    return total


# %% wrong_frozen_has_gradient: Gives a frozen parameter a gradient.
import math


def training_bytes(parameters, bytes_each):
    numbers = 0
    for shape, trained in parameters:
        numbers += math.prod(shape) * (4 if trained else 2)
    return numbers * bytes_each


# %% wrong_frozen_left_out: Frozen parameters are not counted at all.
import math


def training_bytes(parameters, bytes_each):
    return sum(4 * bytes_each * math.prod(shape) for shape, trained in parameters if trained)


# %% wrong_frozen_like_trained: Frozen parameters are counted four times too.
import math


def training_bytes(parameters, bytes_each):
    return sum(4 * math.prod(shape) for shape, _ in parameters) * bytes_each


# %% wrong_int32: Counts in 32 bits, which a large table of words overflows.
import numpy as np


def training_bytes(parameters, bytes_each):
    with np.errstate(all="ignore"):
        sizes = np.array([np.prod(shape, dtype=np.int32) for shape, _ in parameters], dtype=np.int32)
        times = np.array([4 if trained else 1 for _, trained in parameters], dtype=np.int32)
        return int(np.sum(sizes * times * np.int32(bytes_each), dtype=np.int32))


# %% wrong_kilobytes: Returns kilobytes instead of bytes.
import math


def training_bytes(parameters, bytes_each):
    total = sum(math.prod(shape) * (4 if trained else 1) for shape, trained in parameters)
    return total * bytes_each / 1024


# %% wrong_one_average: Counts one of Adam's averages.
import math


def training_bytes(parameters, bytes_each):
    return bytes_each * sum((3 if trained else 1) * math.prod(shape) for shape, trained in parameters)


# %% wrong_one_flag_for_all: One frozen parameter freezes the whole model.
import math


def training_bytes(parameters, bytes_each):
    size = sum(math.prod(shape) for shape, _ in parameters)
    return size * bytes_each * (4 if all(trained for _, trained in parameters) else 1)


# %% wrong_pops: Empties the list that was given.
import math


def training_bytes(parameters, bytes_each):
    total = 0
    while parameters:
        shape, trained = parameters.pop()
        total += (1, 4)[bool(trained)] * math.prod(shape)
    return total * bytes_each


# %% wrong_rounded_to_blocks: Rounds each tensor up to the allocator's blocks of 512 bytes.
import math


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        block = -(-math.prod(shape) * bytes_each // 512) * 512
        total += block * (4 if trained else 1)
    return total


# %% wrong_scalar_is_nothing: The shape () counts as no number.
import math


def training_bytes(parameters, bytes_each):
    total = 0
    for shape, trained in parameters:
        size = math.prod(shape) if shape else 0
        total += size * bytes_each * (4 if trained else 1)
    return total


# %% wrong_set: Equal entries of the list are counted once.
import math


def training_bytes(parameters, bytes_each):
    return sum(math.prod(shape) * bytes_each * (4 if trained else 1) for shape, trained in set(parameters))


# %% wrong_step_counter: Counts Adam's step counter of each trained parameter.
import math


def training_bytes(parameters, bytes_each):
    return bytes_each * sum(4 * math.prod(s) + 1 if trained else math.prod(s) for s, trained in parameters)


# %% wrong_sum_of_shape: Adds the sizes of the axes instead of multiplying.
def training_bytes(parameters, bytes_each):
    return bytes_each * sum((1 + 3 * trained) * sum(shape) for shape, trained in parameters)


# %% wrong_whole_optimizer_for_frozen: Gives a frozen parameter Adam's averages, but no gradient.
import math


def training_bytes(parameters, bytes_each):
    values = sum(math.prod(shape) for shape, _ in parameters)
    gradients = sum(math.prod(shape) for shape, trained in parameters if trained)
    return bytes_each * (values + gradients + 2 * values)


# %% wrong_allocates: Makes the tensors and asks them.
import torch


def training_bytes(parameters, bytes_each):
    tensors = [(torch.empty(shape, dtype=torch.uint8), trained) for shape, trained in parameters]
    return sum((4 if trained else 1) * tensor.numel() for tensor, trained in tensors) * bytes_each


# %% wrong_float_rounding: Adds up in floats, which are inexact above 2**53.
import math


def training_bytes(parameters, bytes_each):
    total = 0.0
    for shape, trained in parameters:
        total += float(math.prod(shape)) * bytes_each * (4 if trained else 1)
    return int(total)
