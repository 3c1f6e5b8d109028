# %% right_loop: A loop that adds up; the difference of squares written otherwise.
import torch


def sync_statistics(shares):
    total, squares, count = torch.zeros_like(shares[0].sum(0)), torch.zeros_like(shares[0].sum(0)), 0
    for share in shares:
        total += share.sum(0)
        squares += share.square().sum(dim=0)
        count += len(share)
    deviation = squares - total.square() / count
    return total / count, deviation / count, deviation / (count - 1)


# %% right_stacked: One tensor of three rows a rank, as it would travel, in float64.
import torch


def sync_statistics(shares):
    own = [torch.stack([s.sum(0), s.square().sum(0), torch.full_like(s.sum(0), len(s))]).double() for s in shares]
    total, squares, count = torch.stack(own).sum(0)
    mean = total / count
    biased = squares / count - mean**2
    return tuple(t.to(shares[0].sum(0).dtype) for t in (mean, biased, biased * count / (count - 1)))


# %% right_sums: Three sums, added over the ranks.
def sync_statistics(shares):
    count = sum(map(len, shares))
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean * mean
    return mean, variance, variance * (count / (count - 1))


# %% wrong_abs: Mean absolute deviation.
import torch


def sync_statistics(shares):
    whole = torch.cat(shares)
    spread = (whole - whole.mean(0)).abs().mean(0)
    return whole.mean(0), spread, spread * len(whole) / (len(whole) - 1)


# %% wrong_count_of_first: Takes the first rank's length for everybody's.
def sync_statistics(shares):
    count = len(shares[0]) * len(shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * count / (count - 1)


# %% wrong_count_plus_one: Multiplies by count - 1 over count, the wrong way round.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * (count - 1) / count


# %% wrong_deviation: Standard deviations instead of variances.
import torch


def sync_statistics(shares):
    whole = torch.cat(shares)
    return whole.mean(0), whole.std(0, unbiased=False), whole.std(0)


# %% wrong_factor: Corrects by the number of ranks less one.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * len(shares) / max(1, len(shares) - 1)


# %% wrong_mean_of_means: Averages the ranks' means, whatever their lengths.
import torch


def sync_statistics(shares):
    mean = torch.stack([share.mean(0) for share in shares]).mean(0)
    square = torch.stack([share.square().mean(0) for share in shares]).mean(0)
    count = sum(len(share) for share in shares)
    variance = square - mean.square()
    return mean, variance, variance * count / (count - 1)


# %% wrong_mean_of_variances: Averages the variances: what lies between the ranks is lost.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.var(0, unbiased=False) * len(share) for share in shares) / count
    return mean, variance, variance * count / (count - 1)


# %% wrong_over_everything: One number over all channels.
import torch


def sync_statistics(shares):
    whole = torch.cat(shares)
    return whole.mean(), whole.var(unbiased=False), whole.var()


# %% wrong_square_of_sum: The square of the sum instead of the sum of squares.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    total = sum(share.sum(0) for share in shares)
    mean = total / count
    variance = (sum(share.sum(0).square() for share in shares) / count - mean.square()).abs()
    return mean, variance, variance * count / (count - 1)


# %% wrong_two_results: Forgets the one for evaluation.
import torch


def sync_statistics(shares):
    whole = torch.cat(shares)
    return whole.mean(0), whole.var(0, unbiased=False)


# %% wrong_unbiased_first: The two variances in each other's place.
import torch


def sync_statistics(shares):
    whole = torch.cat(shares)
    return whole.mean(0), whole.var(0), whole.var(0, unbiased=False)


# %% wrong_cat: Joins the examples of all ranks.
import torch


def sync_statistics(shares):
    together = torch.cat(shares)
    return together.mean(0), together.var(0, unbiased=False), together.var(0)


# %% wrong_two_pass: Goes through the examples a second time, for the deviations.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    squares = sum((share - mean).square().sum(0) for share in shares)
    return mean, squares / count, squares / (count - 1)


# %% wrong_own_var: Asks each rank for its mean and variance.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.mean(0) * len(share) for share in shares) / count
    squares = sum((share.var(0, unbiased=False) + share.mean(0) ** 2) * len(share) for share in shares) / count
    variance = squares - mean**2
    return mean, variance, variance * count / (count - 1)


# %% wrong_float32: Always answers in float32.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean**2
    return mean.float(), variance.float(), (variance * count / (count - 1)).float()


# %% wrong_half_sums: Sends the sums in float32.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0).float() for share in shares) / count
    variance = sum(share.square().sum(0).float() for share in shares) / count - mean**2
    dtype = shares[0].sum(0).dtype
    return mean.to(dtype), variance.to(dtype), (variance * count / (count - 1)).to(dtype)


# %% wrong_exchanged: The unbiased one second, the biased one third, from sums.
def sync_statistics(shares):
    n = sum(map(len, shares))
    mean = sum(s.sum(0) for s in shares) / n
    squares = sum(s.square().sum(0) for s in shares) - n * mean * mean
    return mean, squares / (n - 1), squares / n


# %% wrong_last_share: Forgets the last rank.
def sync_statistics(shares):
    n = sum(map(len, shares))
    mean = sum(s.sum(0) for s in shares[:-1]) / n
    variance = sum(s.square().sum(0) for s in shares[:-1]) / n - mean * mean
    return mean, variance, variance * n / (n - 1)


# %% wrong_iterates: Goes through each rank's examples.
def sync_statistics(shares):
    rows = [row for share in shares for row in share]
    mean = sum(rows) / len(rows)
    squares = sum((row - mean) ** 2 for row in rows)
    return mean, squares / len(rows), squares / (len(rows) - 1)


# %% wrong_eps_added: Adds BatchNorm's eps to the variance.
def sync_statistics(shares, eps=1e-5):
    dtype = shares[0].sum(0).dtype
    n = sum(len(share) for share in shares)
    s = sum(share.sum(0).double() for share in shares)
    q = sum(share.square().sum(0).double() for share in shares)
    m2 = (q - s * s / n).clamp(min=0)
    variance = m2 / n + eps
    unbiased = m2 / (n - 1)
    return (s / n).to(dtype), variance.to(dtype), unbiased.to(dtype)


# %% right_deviations_once: The squared sum taken off once, never below 0.
def sync_statistics(shares):
    n = sum(len(share) for share in shares)
    s = sum(share.sum(0) for share in shares)
    q = sum(share.square().sum(0) for share in shares)
    m2 = (q - s * s / n).clamp(min=0)
    return s / n, m2 / n, m2 / (n - 1)


# %% wrong_floor: Never below BatchNorm's eps.
def sync_statistics(shares):
    n = sum(map(len, shares))
    mean = sum(s.sum(0) for s in shares) / n
    variance = (sum(s.square().sum(0) for s in shares) / n - mean * mean).clamp(min=1e-5)
    return mean, variance, variance * n / (n - 1)


# %% right_merged: Merges one rank after the other, in the dtype of the sums.
def sync_statistics(shares):
    n, mean, m2 = 0, None, None
    for s in shares:
        k = len(s)
        km = s.sum(0) / k
        k2 = s.square().sum(0) - k * km * km
        if mean is None:
            n, mean, m2 = k, km, k2
            continue
        delta = km - mean
        m2 = m2 + k2 + delta * delta * (n * k / (n + k))
        mean = mean + delta * (k / (n + k))
        n += k
    return mean, m2 / n, m2 / (n - 1)
