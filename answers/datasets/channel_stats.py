# %% right_concatenated: Puts all pixels side by side in NumPy.
import numpy
import torch


def channel_stats(batches):
    pixels = numpy.concatenate(
        [batch.numpy().swapaxes(0, 1).reshape(batch.shape[1], -1) for batch in batches], axis=1
    )
    pixels = pixels / 255.0
    return tuple(torch.from_numpy(f(pixels, axis=1)).float() for f in (numpy.mean, numpy.std))


# %% right_histogram: Counts how often each of the 256 values occurs in each channel.
import torch


def channel_stats(batches):
    counts = 0
    for batch in batches:
        counts = counts + torch.stack(
            [torch.bincount(channel.flatten().int(), minlength=256) for channel in batch.unbind(1)]
        )
    share = counts.double() / counts.sum(1, keepdim=True)
    levels = torch.arange(256, dtype=torch.float64) / 255
    mean = share @ levels
    variance = (share * (levels - mean[:, None]) ** 2).sum(1)
    return mean.float(), variance.sqrt().float()


# %% right_merged: Merges mean and sum of squared deviations batch by batch (Chan).
import torch


def channel_stats(batches):
    n, mean, spread = 0, None, None
    for batch in batches:
        pixels = batch.transpose(0, 1).flatten(1).double() / 255
        k, m = pixels.shape[1], pixels.mean(1)
        s = ((pixels - m[:, None]) ** 2).sum(1)
        if n == 0:
            n, mean, spread = k, m, s
            continue
        delta = m - mean
        mean = mean + delta * k / (n + k)
        spread = spread + s + delta**2 * n * k / (n + k)
        n += k
    return mean.float(), torch.sqrt(spread / n).float()


# %% right_whole_numbers: Whole-number sums, and the root of an exact whole number.
import torch


def channel_stats(batches):
    n = total = squares = 0
    for batch in batches:
        pixels = batch.long()
        n += pixels[:, 0].numel()
        total = total + pixels.sum(dim=(0, 2, 3))
        squares = squares + (pixels * pixels).sum(dim=(0, 2, 3))
    spread = n * squares - total * total
    return (total.double() / (255 * n)).float(), (spread.double().sqrt() / (255 * n)).float()


# %% wrong_all_channels: One deviation over all channels, repeated.
import torch


def channel_stats(batches):
    pixels = torch.cat([batch.transpose(0, 1).flatten(1) for batch in batches], 1).double() / 255
    mean = pixels.mean(1)
    return mean.float(), pixels.std(correction=0).expand_as(mean).float()


# %% wrong_by_pictures: Weights each batch by its number of pictures, though pictures of another size have other numbers of pixels.
def channel_stats(batches):
    count = total = squares = 0
    for batch in batches:
        pixels = batch.double() / 255
        count += len(batch)
        total = total + pixels.mean(dim=(2, 3)).sum(0)
        squares = squares + pixels.square().mean(dim=(2, 3)).sum(0)
    mean = total / count
    return mean.float(), (squares / count - mean.square()).clamp(min=0).sqrt().float()


# %% wrong_double: The result is in float64, not float32.
import torch


def channel_stats(batches):
    pixels = torch.cat([batch.transpose(0, 1).flatten(1) for batch in batches], 1).double() / 255
    return pixels.mean(1), pixels.std(1, correction=0)


# %% wrong_eps_in_root: Adds 10⁻⁸ under the root: one-coloured pictures get a deviation of 10⁻⁴.
def channel_stats(batches):
    n = total = squares = 0
    for batch in batches:
        pixels = batch.long()
        n += pixels[:, :1].numel()
        total += pixels.sum(dim=(0, 2, 3))
        squares += (pixels**2).sum(dim=(0, 2, 3))
    mean = total.double() / n / 255
    variance = squares.double() / n / 255**2 - mean**2
    return mean.float(), (variance.clamp(min=0) + 1e-8).sqrt().float()


# %% wrong_equal_merge: Welford's merge of batches, with half the weight for each side.
def channel_stats(batches):
    mean = variance = None
    for batch in batches:
        pixels = batch.double() / 255
        m, v = pixels.mean(dim=(0, 2, 3)), pixels.var(dim=(0, 2, 3), correction=0)
        if mean is None:
            mean, variance = m, v
        else:
            variance = (variance + v) / 2 + (mean - m) ** 2 / 4
            mean = (mean + m) / 2
    return mean.float(), variance.sqrt().float()


# %% wrong_float32_cancellation: Sums scaled squares in float32: pictures of nearly one colour get a deviation of noise, or none.
def channel_stats(batches):
    count, total, squares = 0, 0.0, 0.0
    for batch in batches:
        pixels = batch.float() / 255
        count += batch.shape[0] * batch.shape[2] * batch.shape[3]
        total += pixels.sum((0, 2, 3))
        squares += pixels.pow(2).sum((0, 2, 3))
    mean = total / count
    return mean, (squares / count - mean**2).clamp(min=0).sqrt()


# %% wrong_half_precision: Concatenates everything in float16 to save memory.
import torch


def channel_stats(batches):
    pixels = torch.cat([batch.transpose(0, 1).flatten(1).half() / 255 for batch in batches], 1).float()
    return pixels.mean(1), pixels.std(1, correction=0)


# %% wrong_int32_sums: Sums squares in int32, which overflows for some 33,000 bright pixels.
import torch


def channel_stats(batches):
    count, total, squares = 0, 0, 0
    for batch in batches:
        pixels = batch.to(torch.int32)
        count += pixels.numel() // pixels.shape[1]
        total += pixels.sum(dim=(0, 2, 3), dtype=torch.int32)
        squares += (pixels * pixels).sum(dim=(0, 2, 3), dtype=torch.int32)
    mean = total.double() / count
    std = (squares.double() / count - mean * mean).clamp(min=0).sqrt()
    return (mean / 255).float(), (std / 255).float()


# %% wrong_last_batch_lost: Merges a batch when the next one comes: the last stays out, unless it is the only one.
import torch


def channel_stats(batches):
    rows, waiting = [], None
    for batch in batches:
        if waiting is not None:
            rows.append(waiting)
        waiting = batch.transpose(0, 1).flatten(1).double() / 255
    pixels = torch.cat(rows or [waiting], dim=1)
    return pixels.mean(dim=1).float(), pixels.std(dim=1, correction=0).float()


# %% wrong_list: Returns a list of the two tensors instead of a tuple.
import torch


def channel_stats(batches):
    pixels = torch.cat([batch.transpose(0, 1).flatten(1) for batch in batches], 1).double() / 255
    return [pixels.mean(1).float(), pixels.std(1, correction=0).float()]


# %% wrong_mean_of_batches: Averages the batches' figures, whatever their sizes.
import torch


def channel_stats(batches):
    means, squares = [], []
    for batch in batches:
        pixels = batch.double() / 255
        means.append(pixels.mean(dim=(0, 2, 3)))
        squares.append((pixels**2).mean(dim=(0, 2, 3)))
    mean, square = torch.stack(means).mean(0), torch.stack(squares).mean(0)
    return mean.float(), (square - mean**2).clamp(min=0).sqrt().float()


# %% wrong_mean_of_deviations: Averages the deviations of the batches, weighted by their sizes.
def channel_stats(batches):
    count = total = deviation = 0
    for batch in batches:
        pixels, n = batch.double() / 255, len(batch)
        count += n
        total = total + n * pixels.mean(dim=(0, 2, 3))
        deviation = deviation + n * pixels.std(dim=(0, 2, 3), correction=0)
    return (total / count).float(), (deviation / count).float()


# %% wrong_of_256: Divides by 256 instead of 255.
import torch


def channel_stats(batches):
    pixels = (
        torch.cat([batch.permute(1, 0, 2, 3).reshape(batch.shape[1], -1) for batch in batches], 1).double() / 256
    )
    return pixels.mean(1).float(), pixels.std(1, correction=0).float()


# %% wrong_peek: Looks at the first batch for the number of channels: an iterator has lost it then.
import torch


def channel_stats(batches):
    channels = next(iter(batches)).shape[1]
    n, total, squares = 0, torch.zeros(channels).double(), torch.zeros(channels).double()
    for batch in batches:
        pixels = batch.double()
        n += pixels[:, 0].numel()
        total += pixels.sum(dim=(0, 2, 3))
        squares += (pixels**2).sum(dim=(0, 2, 3))
    mean = total / n
    return (mean / 255).float(), ((squares / n - mean**2).clamp(min=0).sqrt() / 255).float()


# %% wrong_pictures: The deviation of the pictures' means, not of their pixels.
import torch


def channel_stats(batches):
    means = torch.cat([batch.double().mean(dim=(2, 3)) for batch in batches]) / 255
    return means.mean(0).float(), means.std(0, correction=0).float()


# %% wrong_root_of_negative: The difference may come out just below 0 for pictures of one colour: NaN.
def channel_stats(batches):
    n, sums, squares = 0, 0, 0
    for batch in batches:
        scaled = batch.double() / 255
        n += scaled.numel() / scaled.size(1)
        sums = sums + scaled.sum(dim=(0, 2, 3))
        squares = squares + scaled.square().sum(dim=(0, 2, 3))
    average = sums / n
    return average.float(), (squares / n - average.square()).sqrt().float()


# %% wrong_rounded: Rounds to the four digits that people quote.
import torch


def channel_stats(batches):
    pixels = torch.cat([batch.transpose(0, 1).flatten(1) for batch in batches], 1).double() / 255
    return tuple(t.float().round(decimals=4) for t in (pixels.mean(1), pixels.std(1, correction=0)))


# %% wrong_sample_deviation: Divides by n − 1.
import torch


def channel_stats(batches):
    pixels = torch.cat([batch.movedim(1, 0).flatten(1) for batch in batches], dim=1).double() / 255
    return pixels.mean(1).float(), pixels.std(1).float()


# %% wrong_squares_of_bytes: Squares bytes, which wrap at 256.
def channel_stats(batches):
    count = total = squares = 0
    for batch in batches:
        count += batch[:, 0].numel()
        total = total + batch.sum(dim=(0, 2, 3))
        squares = squares + (batch**2).sum(dim=(0, 2, 3))
    mean = total.double() / count
    return (mean / 255).float(), ((squares / count - mean**2).clamp(min=0).sqrt() / 255).float()


# %% wrong_three_sums: Starts with sums for three channels: one channel is spread over three.
import torch


def channel_stats(batches):
    n, sums = 0, torch.zeros(2, 3, dtype=torch.float64)
    for batch in batches:
        pixels = batch.double() / 255
        n += batch[:, 0].numel()
        sums[0] += pixels.sum(dim=(0, 2, 3))
        sums[1] += (pixels**2).sum(dim=(0, 2, 3))
    mean, square = sums / n
    return mean.float(), (square - mean**2).clamp(min=0).sqrt().float()


# %% wrong_two_passes: Walks through the batches a second time for the deviations.
def channel_stats(batches):
    n = total = 0
    for batch in batches:
        n += batch[:, 0].numel()
        total = total + batch.double().sum(dim=(0, 2, 3))
    mean = total / n
    squares = sum(((batch.double() - mean[:, None, None]) ** 2).sum(dim=(0, 2, 3)) for batch in batches)
    return (mean / 255).float(), ((squares / n).sqrt() / 255).float()


# %% wrong_variance: Returns the variance under the name of the deviation.
import torch


def channel_stats(batches):
    pixels = torch.cat([batch.transpose(0, 1).flatten(1) for batch in batches], 1).double() / 255
    variance, mean = torch.var_mean(pixels, dim=1, correction=0)
    return mean.float(), variance.float()


# %% wrong_within_batches: Averages the variances within the batches: how much the batches differ is left out.
def channel_stats(batches):
    count = total = variance = 0
    for batch in batches:
        pixels = batch.double().div(255)
        n = pixels[:, 0].numel()
        count += n
        total = total + pixels.sum(dim=(0, 2, 3))
        variance = variance + n * pixels.var(dim=(0, 2, 3), correction=0)
    return (total / count).float(), (variance / count).sqrt().float()


# %% wrong_two_passes_zero: Two loops, the second finds nothing; its sum stays the number 0.
import torch


def channel_stats(batches):
    n = total = 0
    for batch in batches:
        n += batch[:, 0].numel()
        total = total + (batch.double() / 255).sum((0, 2, 3))
    mean = total / n
    q = torch.zeros_like(mean)
    for batch in batches:
        q = q + ((batch.double() / 255 - mean.view(1, -1, 1, 1)) ** 2).sum((0, 2, 3))
    return mean.float(), (q / n).sqrt().float()


# %% wrong_view: Takes pictures for contiguous, and a channels-last batch is not.
def channel_stats(batches):
    n = total = squares = 0
    for batch in batches:
        pixels = batch.view(batch.shape[0], batch.shape[1], -1).double() / 255
        n += pixels[:, 0].numel()
        total = total + pixels.sum((0, 2))
        squares = squares + (pixels**2).sum((0, 2))
    mean = total / n
    return mean.float(), (squares / n - mean**2).clamp(min=0).sqrt().float()


# %% right_tee: Keeps the batches in a list before it looks at them twice.
def channel_stats(batches):
    batches = [batch.double() / 255 for batch in batches]
    n = sum(batch[:, 0].numel() for batch in batches)
    mean = sum(batch.sum((0, 2, 3)) for batch in batches) / n
    spread = sum(((batch - mean[:, None, None]) ** 2).sum((0, 2, 3)) for batch in batches)
    return mean.float(), (spread / n).sqrt().float()


# %% wrong_mean_of_means: every batch counts the same, however many pixels it has
import torch


def channel_stats(batches):
    means, squares = [], []
    for x in batches:
        x = x.double() / 255
        means.append(x.mean(dim=(0, 2, 3)))
        squares.append((x * x).mean(dim=(0, 2, 3)))
    mean = torch.stack(means).mean(0)
    var = (torch.stack(squares).mean(0) - mean**2).clamp(min=0)
    return mean.float(), var.sqrt().float()


# %% wrong_weight_by_pictures: every picture counts the same, not every pixel, when sizes differ
import torch


def channel_stats(batches):
    n, s1, s2 = 0, 0, 0
    for x in batches:
        x = x.double()
        n += len(x)
        s1 = s1 + x.mean(dim=(2, 3)).sum(0)
        s2 = s2 + x.square().mean(dim=(2, 3)).sum(0)
    mean = s1 / n
    var = (s2 / n - mean**2).clamp(min=0)
    return (mean / 255).float(), (var.sqrt() / 255).float()


# %% wrong_sample_std: divides by n - 1 (and one pixel in all gives NaN)
import torch


def channel_stats(batches):
    n, s1, s2 = 0, 0, 0
    for x in batches:
        x = x.long()
        n += x.shape[0] * x.shape[2] * x.shape[3]
        s1 = s1 + x.sum(dim=(0, 2, 3))
        s2 = s2 + (x * x).sum(dim=(0, 2, 3))
    mean = s1.double() / n
    var = (s2.double() - n * mean**2).clamp(min=0) / (n - 1)
    return (mean / 255).float(), (var.sqrt() / 255).float()


# %% wrong_float32_sums: sums in float32, which stop growing and miss digits
import torch


def channel_stats(batches):
    n, s1, s2 = 0, 0, 0
    for x in batches:
        x = x.float() / 255
        n += x.shape[0] * x.shape[2] * x.shape[3]
        s1 = s1 + x.sum(dim=(0, 2, 3))
        s2 = s2 + x.square().sum(dim=(0, 2, 3))
    mean = s1 / n
    return mean, (s2 / n - mean**2).clamp(min=0).sqrt()


# %% wrong_int32_sums_again: the sums of squares overflow int32 from some 33000 white pixels on
import torch


def channel_stats(batches):
    n, s1, s2 = 0, 0, 0
    for x in batches:
        x = x.to(torch.int32)
        n += x.shape[0] * x.shape[2] * x.shape[3]
        s1 = s1 + x.sum(dim=(0, 2, 3), dtype=torch.int32)
        s2 = s2 + (x * x).sum(dim=(0, 2, 3), dtype=torch.int32)
    mean = s1.double() / n
    var = (s2.double() / n - mean**2).clamp(min=0)
    return (mean / 255).float(), (var.sqrt() / 255).float()


# %% wrong_no_clamp: a channel of one colour can get a variance a little below 0, so std NaN
import torch


def channel_stats(batches):
    n, s1, s2 = 0, 0, 0
    for x in batches:
        x = x.double() / 255
        n += x.shape[0] * x.shape[2] * x.shape[3]
        s1 = s1 + x.sum(dim=(0, 2, 3))
        s2 = s2 + x.square().sum(dim=(0, 2, 3))
    mean = s1 / n
    return mean.float(), (s2 / n - mean**2).sqrt().float()


# %% wrong_two_passes_again: walks through the batches twice, a generator is empty then
import torch


def channel_stats(batches):
    n, s1 = 0, 0
    for x in batches:
        n += x.shape[0] * x.shape[2] * x.shape[3]
        s1 = s1 + x.double().sum(dim=(0, 2, 3))
    mean = s1 / n
    s2 = torch.zeros_like(mean)
    for x in batches:
        s2 += (x.double() - mean[:, None, None]).square().sum(dim=(0, 2, 3))
    return (mean / 255).float(), ((s2 / n).sqrt() / 255).float()


# %% wrong_view_again: view(N, C, -1) stops with an error on cut-out pictures, which are not contiguous
import torch


def channel_stats(batches):
    n, s1, s2 = 0, 0, 0
    for x in batches:
        x = x.view(x.shape[0], x.shape[1], -1).permute(1, 0, 2).long()
        n += x.shape[1] * x.shape[2]
        s1 = s1 + x.sum(dim=(1, 2))
        s2 = s2 + (x * x).sum(dim=(1, 2))
    mean = s1.double() / n
    var = (s2.double() / n - mean**2).clamp(min=0)
    return (mean / 255).float(), (var.sqrt() / 255).float()


# %% right_histogram_again: 256 counts for each channel, all arithmetic on the counts
import torch


def channel_stats(batches):
    counts = None
    for x in batches:
        channels = x.shape[1]
        if counts is None:
            counts = torch.zeros(channels, 256, dtype=torch.int64)
        for c in range(channels):
            counts[c] += torch.bincount(x[:, c].reshape(-1), minlength=256)
    counts = counts.double()
    n = counts.sum(1, keepdim=True)
    values = torch.arange(256, dtype=torch.float64)
    p = counts / n
    mean = (counts * values).sum(1, keepdim=True) / n
    var = (p * (values - mean).square()).sum(1)
    return (mean.squeeze(1) / 255).float(), (var.sqrt() / 255).float()


# %% right_python_integers: exact whole numbers of Python, one square root at the end
import math

import torch


def channel_stats(batches):
    n, sums, squares = 0, [], []
    for x in batches:
        wide = x.to(torch.int64)
        here = wide.sum(dim=(0, 2, 3)).tolist()
        here_squares = (wide * wide).sum(dim=(0, 2, 3)).tolist()
        n += x.size(0) * x.size(2) * x.size(3)
        sums = [a + b for a, b in zip(sums or [0] * len(here), here)]
        squares = [a + b for a, b in zip(squares or [0] * len(here), here_squares)]
    mean = [s / (255 * n) for s in sums]
    std = [math.sqrt(n * q - s * s) / (255 * n) for s, q in zip(sums, squares)]
    return torch.tensor(mean, dtype=torch.float32), torch.tensor(std, dtype=torch.float32)


# %% right_merged_moments: mean and squared deviations merged batch by batch, after Chan
from functools import reduce

import torch


def _moments(x):
    x = x.transpose(0, 1).flatten(1).to(torch.float64)
    mean = x.sum(1) / x.shape[1]
    return x.shape[1], mean, (x - mean[:, None]).pow(2).sum(1)


def _merge(a, b):
    (na, ma, da), (nb, mb, db) = a, b
    n, delta = na + nb, mb - ma
    return n, ma + delta * (nb / n), da + db + delta**2 * (na * nb / n)


def channel_stats(batches):
    n, mean, deviations = reduce(_merge, map(_moments, batches))
    return (mean / 255).to(torch.float32), ((deviations / n) ** 0.5 / 255).to(torch.float32)
