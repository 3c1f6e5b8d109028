# %% right_ceil: floor or ceil of the quotient, as the DataLoader does it.
import math


def batch_count(samples, batch_size, drop_last):
    to_whole = math.floor if drop_last else math.ceil
    return to_whole(samples / batch_size)


# %% right_divmod: Full batches and rest by divmod, the rest counted if it is kept.
def batch_count(samples, batch_size, drop_last):
    full, rest = divmod(samples, batch_size)
    return full + int(rest > 0 and not drop_last)


# %% right_loader: Asks a real loader over a range.
from torch.utils.data import DataLoader


def batch_count(samples, batch_size, drop_last):
    return len(DataLoader(range(samples), batch_size=batch_size, drop_last=drop_last))


# %% right_loop: Takes batches away until nothing usable is left.
def batch_count(samples, batch_size, drop_last):
    count = 0
    while samples >= batch_size or (samples > 0 and not drop_last):
        samples -= batch_size
        count += 1
    return count


# %% right_ranges: The length of the range of the first or of the last samples.
def batch_count(samples, batch_size, drop_last):
    if drop_last:
        return len(range(batch_size, samples + 1, batch_size))
    return len(range(0, samples, batch_size))


# %% wrong_always_one_less: drop_last takes one batch away, even if the last one is full.
import math


def batch_count(samples, batch_size, drop_last):
    count = math.ceil(samples / batch_size)
    return max(0, count - 1) if drop_last else count


# %% wrong_at_least_one: Thinks that a loader has at least one batch.
import math


def batch_count(samples, batch_size, drop_last):
    exact = samples / batch_size
    return max(1, math.floor(exact) if drop_last else math.ceil(exact))


# %% wrong_bool_of_and: `and` hands on False instead of 0 where there is no full batch.
def batch_count(samples, batch_size, drop_last):
    if drop_last:
        return samples >= batch_size and samples // batch_size
    return samples // batch_size + (samples % batch_size != 0)


# %% wrong_float: Returns a float, which range() does not take.
import numpy


def batch_count(samples, batch_size, drop_last):
    return float((numpy.floor if drop_last else numpy.ceil)(samples / batch_size))


# %% wrong_four: Has the batch size of the example built in.
def batch_count(samples, batch_size, drop_last):
    return samples // 4 if drop_last else (samples + 3) // 4


# %% wrong_half_full: Keeps a last batch only if it is at least half full.
def batch_count(samples, batch_size, drop_last):
    full = samples // batch_size
    rest = samples - full * batch_size
    return full + int(not drop_last and 2 * rest >= batch_size)


# %% wrong_inverted: Has drop_last the wrong way round.
def batch_count(samples, batch_size, drop_last):
    if drop_last:
        return (samples + batch_size - 1) // batch_size
    return samples // batch_size


# %% wrong_nothing_returned: Forgets to answer where the loader is empty.
def batch_count(samples, batch_size, drop_last):
    full, rest = divmod(samples, batch_size)
    if rest and not drop_last:
        return full + 1
    if full > 0:
        return full


# %% wrong_plus_one: Always adds a batch for the rest, also where there is none.
def batch_count(samples, batch_size, drop_last):
    count = samples // batch_size
    return count if drop_last else count + 1


# %% wrong_range_end: The full batches as a range that ends too early: a full last batch is lost.
def batch_count(samples, batch_size, drop_last):
    return len(range(batch_size if drop_last else 0, samples, batch_size))


# %% wrong_recursion: Recursion, one level for each batch: a set as large as MNIST goes too deep.
def batch_count(samples, batch_size, drop_last):
    if samples < batch_size:
        return int(samples > 0 and not drop_last)
    return 1 + batch_count(samples - batch_size, batch_size, drop_last)


# %% wrong_rounded: Rounds to the nearest number of batches.
def batch_count(samples, batch_size, drop_last):
    return samples // batch_size if drop_last else round(samples / batch_size + 0.1)


# %% wrong_single_sample: Drops a last batch only if it has a single sample.
def batch_count(samples, batch_size, drop_last):
    full, rest = divmod(samples, batch_size)
    if drop_last and rest == 1:
        rest = 0
    return full + bool(rest)


# %% wrong_small_set: Answers 1 for everything that fits one batch, without looking at drop_last.
def batch_count(samples, batch_size, drop_last):
    if samples <= batch_size:
        return 1 if samples else 0
    if drop_last:
        return samples // batch_size
    return -(-samples // batch_size)


# %% wrong_split_of_nothing: Counts what split gives, and split makes one empty piece of an empty tensor.
import torch


def batch_count(samples, batch_size, drop_last):
    pieces = torch.arange(samples).split(batch_size)
    if drop_last and len(pieces[-1]) < batch_size:
        pieces = pieces[:-1]
    return len(pieces)


# %% wrong_tensor: Returns a tensor with one number.
import torch


def batch_count(samples, batch_size, drop_last):
    exact = torch.tensor(samples / batch_size)
    return (exact.floor() if drop_last else exact.ceil()).long()
