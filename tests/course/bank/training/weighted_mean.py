# %% right_examples: Writes each value as often as its batch has examples.
def weighted_mean(values, sizes):
    return values.repeat_interleave(sizes).mean()


# %% right_numpy: NumPy's average knows weights.
import numpy as np
import torch


def weighted_mean(values, sizes):
    mean = np.average(values.numpy(), weights=sizes.numpy())
    return torch.tensor(mean, dtype=values.dtype)


# %% right_running: A running mean that each batch moves by its share of what was seen.
import torch


def weighted_mean(values, sizes):
    mean, seen = torch.zeros_like(values[0]), 0
    for value, size in zip(values, sizes):
        seen = seen + size
        mean = mean + (value - mean) * (size / seen)
    return mean


# %% right_shares: Shares of the whole, computed in float64, and einsum.
import torch


def weighted_mean(values, sizes):
    shares = sizes.double() / sizes.sum()
    return torch.einsum("b,b->", values.double(), shares).to(values.dtype)


# %% wrong_bytes: Packs the sizes into 8 bits: right for batches below 256.
import torch


def weighted_mean(values, sizes):
    weights = sizes.to(torch.uint8)
    return (values * weights).sum() / weights.sum()


# %% wrong_distinct_sizes: Divides by the sum of the distinct sizes.
def weighted_mean(values, sizes):
    return (values * sizes).sum() / sizes.unique().sum()


# %% wrong_divided_by_batches: Weights by the sizes, but divides by the number of batches.
import torch


def weighted_mean(values, sizes):
    return torch.stack([value * size for value, size in zip(values, sizes)]).mean()


# %% wrong_ends_equal: Takes all batches to be equal if the first and the last are.
def weighted_mean(values, sizes):
    if sizes[0] == sizes[-1]:
        return values.mean()
    return (values * sizes).sum() / sizes.sum()


# %% wrong_half: Counts in float16: inf from 65520 examples on, and inexact before.
def weighted_mean(values, sizes):
    weights = sizes.half()
    return (values * weights).sum() / weights.sum()


# %% wrong_halving: Averages each mean with the one so far, half and half.
def weighted_mean(values, sizes):
    mean = values[0]
    for value in values[1:]:
        mean = (mean + value) / 2
    return mean


# %% wrong_inverse: Divides by the sizes where it should multiply.
def weighted_mean(values, sizes):
    weights = 1 / sizes
    return (values * weights).sum() / weights.sum()


# %% wrong_last_dropped: Leaves batches that are smaller than the largest out, like drop_last.
def weighted_mean(values, sizes):
    return values[sizes == sizes.max()].mean()


# %% wrong_last_only: Takes all batches but the last to be as large as the first: right for a loader.
def weighted_mean(values, sizes):
    full = sizes[0] * (len(sizes) - 1)
    total = values[:-1].sum() * sizes[0] + values[-1] * sizes[-1]
    return total / (full + sizes[-1])


# %% wrong_median: The median of all examples instead of their mean.
import torch


def weighted_mean(values, sizes):
    return torch.repeat_interleave(values, sizes).median()


# %% wrong_number: Gives a plain number instead of a tensor.
def weighted_mean(values, sizes):
    pairs = list(zip(values.tolist(), sizes.tolist()))
    return sum(v * n for v, n in pairs) / sum(n for _, n in pairs)


# %% wrong_numpy_number: Gives a number of NumPy's instead of a tensor.
import numpy as np
import torch


def weighted_mean(values, sizes):
    return np.average(values.numpy(), weights=sizes.numpy()).astype(np.float32)


# %% wrong_one_row: Keeps an axis: the shape is (1,).
def weighted_mean(values, sizes):
    return (values * sizes).sum(dim=0, keepdim=True) / sizes.sum()


# %% wrong_plain: The mean of the means.
import torch


def weighted_mean(values, sizes):
    return torch.stack(list(values)).mean()


# %% wrong_root_weights: Weights by the roots of the sizes.
import torch


def weighted_mean(values, sizes):
    weights = sizes.sqrt()
    return torch.dot(values, weights) / weights.sum()


# %% wrong_sixty_four: Measures the sizes in batches of 64, rounded up.
def weighted_mean(values, sizes):
    batches = (sizes / 64).ceil()
    return (values * batches).sum() / batches.sum()


# %% wrong_softmax: Takes a softmax of the sizes for the weights.
import torch


def weighted_mean(values, sizes):
    weights = torch.softmax(sizes.double(), dim=0).to(values.dtype)
    return (weights * values).sum()


# %% wrong_sorted: Sorts the sizes, so the smallest batch is no longer where its value is.
def weighted_mean(values, sizes):
    ordered = sizes.sort(descending=True).values
    return (values * ordered).sum() / ordered.sum()


# %% wrong_three_batches: Takes the three batches of the example for granted.
def weighted_mean(values, sizes):
    a, b, c = sizes
    return (values[0] * a + values[1] * b + values[2] * c) / (a + b + c)


# %% wrong_truncated: Turns the values into the dtype of the sizes: whole numbers.
def weighted_mean(values, sizes):
    return values.to(sizes.dtype) @ sizes / sizes.sum()


# %% wrong_values_scaled: Multiplies the caller's values by their sizes, in place.
def weighted_mean(values, sizes):
    values *= sizes
    return values.sum() / sizes.sum()


# %% wrong_whole_division: Rounds down after dividing.
def weighted_mean(values, sizes):
    return (values * sizes).sum() // sizes.sum()


# %% wrong_without_first: The loop begins with the second batch.
import torch


def weighted_mean(values, sizes):
    total, count = torch.zeros(()), 0
    for i in range(1, len(values)):
        total = total + values[i] * sizes[i]
        count += int(sizes[i])
    return total / max(count, 1)
