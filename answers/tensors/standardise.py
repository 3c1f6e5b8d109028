# %% right_by_hand: Squares, sum, root, written out.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    centred = samples - samples.sum(dim=1, keepdim=True) / samples.shape[1]
    variance = (centred * centred).sum(dim=1, keepdim=True) / (samples.shape[1] - 1)
    return centred * variance.rsqrt()


# %% right_in_double: Computed in float64 and returned as it came.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    wide = samples.to(torch.float64).T
    return ((wide - wide.mean(0)) / wide.std(0)).T.to(samples.dtype)


# %% right_layer_norm_corrected: LayerNorm's divisor, corrected from F to F − 1.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    count = samples.shape[1]
    return torch.nn.functional.layer_norm(samples, (count,), eps=0) * ((count - 1) / count) ** 0.5


# %% right_loop_into_copy: Row by row, in place, in a copy.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    result = samples.clone()
    for row in result:
        row -= row.mean()
        row /= row.std()
    return result


# %% right_stacked_rows: Row by row, stacked: (N, F) has at least one row.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    return torch.stack([(row - row.mean()) / row.std() for row in samples])


# %% right_std_mean: Both figures by one call.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    std, mean = torch.std_mean(samples, dim=1, keepdim=True)
    return (samples - mean) / std


# %% wrong_biased: Divides by F, as LayerNorm does.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    return torch.nn.functional.layer_norm(samples, samples.shape[1:], eps=0)


# %% wrong_cancelling: The mean of squares minus the squared mean, in float32: far from 0 the digits cancel.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    count = samples.shape[1]
    mean = samples.mean(1, keepdim=True)
    variance = (samples.square().mean(1, keepdim=True) - mean.square()) * count / (count - 1)
    return (samples - mean) / variance.clamp(min=1e-12).sqrt()


# %% wrong_first_row: The first row's mean and deviation for all rows.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    if len(samples) == 0:
        return samples.clone()
    return (samples - samples[0].mean()) / samples[0].std()


# %% wrong_float64: Returns float64 for float32.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    samples = samples.double()
    return (samples - samples.mean(1, keepdim=True)) / samples.std(1, keepdim=True)


# %% wrong_in_place: Works in the tensor it was given.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    samples -= samples.mean(dim=1, keepdim=True)
    samples /= samples.std(dim=1, keepdim=True)
    return samples


# %% wrong_median: Shifts by the median.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    return (samples - samples.median(1, keepdim=True).values) / samples.std(1, keepdim=True)


# %% wrong_norm: Scales each row to length 1.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    centred = samples - samples.mean(1, keepdim=True)
    return torch.nn.functional.normalize(centred, dim=1)


# %% wrong_range: Scales to the range from 0 to 1.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    low, high = samples.amin(1, keepdim=True), samples.amax(1, keepdim=True)
    return (samples - low) / (high - low)


# %% wrong_scaled_first: Shifts by the mean after the scaling.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    return samples / samples.std(1, keepdim=True) - samples.mean(1, keepdim=True)


# %% wrong_small_eps: Adds a little to the divisor, which is not asked.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    return (samples - samples.mean(1, keepdim=True)) / (samples.std(1, keepdim=True) + 1e-3)


# %% wrong_transposed_result: Standardises the rows and returns them as columns.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    columns = samples.T
    return (columns - columns.mean(0)) / columns.std(0)


# %% wrong_variance: Divides by the variance.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    return (samples - samples.mean(1, keepdim=True)) / samples.var(1, keepdim=True)


# %% right_var_by_einsum: The variance by einsum.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    centred = samples - samples.mean(-1)[:, None]
    variance = torch.einsum("nf,nf->n", centred, centred) / (samples.size(1) - 1)
    return centred / variance.sqrt()[:, None]


# %% wrong_eps_small: A hundred-millionth more.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    mean, std = samples.mean(1, True), samples.std(1, keepdim=True)
    return (samples - mean) / (std + 1e-8)


# %% wrong_clamped_std: Never divides by less than 1e-3.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    centred = samples - samples.mean(1, keepdim=True)
    return centred / samples.std(1, keepdim=True).clamp(min=1e-3)


# %% wrong_view: A view, which a table read by columns refuses.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    rows = samples.view(-1).view(samples.shape)
    return (rows - rows.mean(1, keepdim=True)) / rows.std(1, keepdim=True)


# %% wrong_float32: Works in float32, whatever came.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    narrow = samples.to(torch.float32)
    return (narrow - narrow.mean(1, keepdim=True)) / narrow.std(1, keepdim=True)


# %% wrong_float32_and_back: Works in float32 and goes back.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    narrow = samples.to(torch.float32)
    found = (narrow - narrow.mean(1, keepdim=True)) / narrow.std(1, keepdim=True)
    return found.to(samples.dtype)


# %% wrong_batch_norm: The usual layer for rows, with its eps.
import torch


def standardise(samples):
    """Each row of (N, F) with mean 0 and standard deviation 1."""
    return torch.nn.functional.instance_norm(samples[None])[0]


# %% wrong_eps: Adds 1e-8 to the divisor.
def standardise(samples):
    return (samples - samples.mean(1, keepdim=True)) / (samples.std(1, keepdim=True) + 1e-8)


# %% wrong_population_std: Divides by F instead of F - 1.
def standardise(samples):
    return (samples - samples.mean(1, keepdim=True)) / samples.std(1, keepdim=True, correction=0)


# %% wrong_columns: Every column alike instead of every row.
def standardise(samples):
    return (samples - samples.mean(0)) / samples.std(0)


# %% wrong_mean_of_squares: Variance as mean of squares less square of mean, which cancels far from 0.
def standardise(samples):
    f = samples.shape[1]
    m = samples.mean(1, keepdim=True)
    var = (samples.square().mean(1, keepdim=True) - m * m) * f / (f - 1)
    return (samples - m) / var.sqrt()


# %% wrong_normalize: F.normalize holds its divisor at 1e-12 or more, so a row of smaller spread stays small.
import torch.nn.functional as F


def standardise(samples):
    centred = samples - samples.mean(1, keepdim=True)
    return F.normalize(centred, dim=1) * (samples.shape[1] - 1) ** 0.5


# %% wrong_in_place_too: Shifts and scales the tensor it was given.
def standardise(samples):
    samples -= samples.mean(1, keepdim=True)
    samples /= samples.std(1, keepdim=True)
    return samples


# %% wrong_stays_double: Computes in float64 and forgets to come back for float32.
def standardise(samples):
    s = samples.double()
    return (s - s.mean(1, keepdim=True)) / s.std(1, keepdim=True)


# %% wrong_no_keepdim: Without keepdim, which fails unless N equals F and then meets the columns.
def standardise(samples):
    return (samples - samples.mean(1)) / samples.std(1)


# %% right_fractions: Exact fractions, row by row, rounded once at the end.
import math
from fractions import Fraction
import torch


def standardise(samples):
    def row(numbers):
        xs = [Fraction(v) for v in numbers]
        centre = sum(xs) / len(xs)
        ds = [v - centre for v in xs]
        variance = sum(d * d for d in ds) / (len(xs) - 1)
        return [math.copysign(math.sqrt(d * d / variance), d) for d in ds]

    return torch.tensor([row(r) for r in samples.tolist()], dtype=samples.dtype).reshape(samples.shape)


# %% right_shift_and_rescale: Brought near 1 by powers of two, shifted by the first column, brought near 1 again, then mean and std.
import torch


def standardise(samples):
    def near_one(t):
        e = torch.frexp(t.abs().amax(1, keepdim=True)).exponent
        half = torch.div(e, 2, rounding_mode="floor")
        return torch.ldexp(torch.ldexp(t, -half), half - e)

    t = near_one(samples.double())
    t = near_one(t - t[:, :1])
    t = t - t.mean(dim=1, keepdim=True)
    return (t / t.std(dim=1, keepdim=True)).to(samples.dtype)


# %% right_transposed_einsum: On the transpose, with einsum for the sum of squares and the range of the row as unit.
import torch


def standardise(samples):
    t = samples.t().double() / 4 if samples.dtype == torch.float32 else samples.t() * 1.0
    t = t - t[0]
    t = t / (t.amax(0) - t.amin(0))
    t = t - t.mean(0)
    length = torch.einsum("fn,fn->n", t, t).div(len(t) - 1).sqrt()
    return (t / length).t().contiguous().to(samples.dtype)
