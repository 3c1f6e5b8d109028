# %% right_loop: A loop that adds up; the difference of squares written otherwise.
import torch


def sync_statistics(shares):
    total, squares, count = torch.zeros_like(shares[0][0]), torch.zeros_like(shares[0][0]), 0
    for share in shares:
        total += share.sum(0)
        squares += share.square().sum(0)
        count += len(share)
    deviation = squares - total.square() / count
    return total / count, deviation / count, deviation / (count - 1)


# %% right_stacked: One tensor of three rows a rank, as it would travel, in float64.
import torch


def sync_statistics(shares):
    own = [torch.stack([s.sum(0), s.square().sum(0), torch.full_like(s[0], len(s))]).double() for s in shares]
    total, squares, count = torch.stack(own).sum(0)
    mean = total / count
    biased = squares / count - mean**2
    return tuple(t.to(shares[0].dtype) for t in (mean, biased, biased * count / (count - 1)))


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
