"""Our answers to the questions of chapter 10: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import torch

from lessonkit.checks.answer import Answer


def rank_indices(length, world_size):
    """Pad the indices by repeating them from the start until all ranks get equally many. Then give rank r every
    world_size-th index, beginning at r."""
    rounds = (length + world_size - 1) // world_size
    return [[(rank + world_size * turn) % length for turn in range(rounds)] for rank in range(world_size)]


def in_blocks(length, world_size):
    """You gave each rank a block of consecutive indices. The sampler distributes them in turn: rank 0 gets 0,
    world_size, 2 * world_size, and so on."""
    rounds = (length + world_size - 1) // world_size
    filled = [index % length for index in range(rounds * world_size)]
    return [filled[rank * rounds : (rank + 1) * rounds] for rank in range(world_size)]


def not_filled_up(length, world_size):
    """Your ranks get different numbers of indices. A rank with one batch less leaves the others waiting in
    `backward`. The sampler pads by beginning again from index 0."""
    return [list(range(rank, length, world_size)) for rank in range(world_size)]


def rest_dropped(length, world_size):
    """You left out the indices that do not divide evenly, which is `drop_last=True`. By default every index is
    used, and some are used twice."""
    rounds = length // world_size
    return [[rank + world_size * turn for turn in range(rounds)] for rank in range(world_size)]


def last_one_repeated(length, world_size):
    """You padded with the last index. The sampler begins again from index 0."""
    rounds = (length + world_size - 1) // world_size
    return [[min(rank + world_size * turn, length - 1) for turn in range(rounds)] for rank in range(world_size)]


def filled_up_once(length, world_size):
    """You began again from 0 only once. With 1 example and 3 ranks, or 2 and 5, that is not enough. Repeat the
    indices as often as necessary."""
    rounds = (length + world_size - 1) // world_size
    filled = (list(range(length)) * 2)[: rounds * world_size]
    return [filled[rank::world_size] for rank in range(world_size)]


rank_indices = Answer(
    rank_indices,
    mistakes=(in_blocks, not_filled_up, rest_dropped, last_one_repeated, filled_up_once),
    hints=(
        "How many indices does each rank get, if all ranks get equally many and none is left out? Round up.",
        "Write down all indices in order, and continue from 0 again until their number is divisible by "
        "`world_size`.",
        "Then rank r takes `filled[r::world_size]`. With 2 examples and 5 ranks you must begin again more than "
        "once.",
    ),
)


class Accuracy:
    """The fraction of correct predictions over all ranks."""

    def __init__(self):
        self.counts = torch.zeros(2, dtype=torch.int64)  # right, counted

    def update(self, logits, targets):
        right, real = logits.argmax(1) == targets, targets != -100
        self.counts += torch.stack([right.sum(), real.sum()])

    def compute(self, all_reduce):
        counts = self.counts.clone()  # what this rank has counted stays its own
        all_reduce(counts)
        right, counted = counts.tolist()
        return right / counted if counted else float("nan")


class PaddingCounted(Accuracy):
    """You counted the padding as examples. No prediction is -100, so each of them counts as wrong. Count only
    where `targets != -100`."""

    def update(self, logits, targets):
        self.counts += torch.stack([(logits.argmax(1) == targets).sum(), torch.tensor(len(targets))])


class OwnOnly(Accuracy):
    """Each rank returns the accuracy of its own examples. Add up the counts over all ranks first."""

    def compute(self, all_reduce):
        all_reduce(self.counts.clone())
        right, counted = self.counts.tolist()
        return right / counted if counted else float("nan")


class MeanOfRanks(Accuracy):
    """You averaged the accuracies of the ranks, so a rank with few examples counts as much as one with many. Add
    up the numbers of correct and of counted examples, and divide once at the end."""

    def compute(self, all_reduce):
        right, counted = self.counts.tolist()
        pair = torch.tensor([right / counted, 1.0] if counted else [0.0, 0.0], dtype=torch.float64)
        all_reduce(pair)
        return (pair[0] / pair[1]).item()


class ReducedInPlace(Accuracy):
    """`all_reduce` has overwritten the rank's own counts with the sum over all ranks. If `compute` is called
    again, or more batches follow, that sum is added up again. Reduce a clone."""

    def compute(self, all_reduce):
        all_reduce(self.counts)
        right, counted = self.counts.tolist()
        return right / counted if counted else float("nan")


class EmptyRankLeaves(Accuracy):
    """A rank that has counted nothing returned before `all_reduce`, so the others wait there for it. Every rank
    must call `all_reduce` and check the count afterwards."""

    def compute(self, all_reduce):
        if not self.counts[1]:
            return float("nan")
        return super().compute(all_reduce)


class NobodyIsZero(Accuracy):
    """If no rank has counted anything, you returned 0. That would mean that all predictions were wrong. Return
    NaN."""

    def compute(self, all_reduce):
        accuracy = super().compute(all_reduce)
        return accuracy if accuracy == accuracy else 0.0


Accuracy = Answer(
    Accuracy,
    mistakes=(PaddingCounted, OwnOnly, MeanOfRanks, ReducedInPlace, EmptyRankLeaves, NobodyIsZero),
    hints=(
        "Two integers are enough: how many predictions were correct, and how many examples counted (`targets != "
        "-100`).",
        "In `compute`, clone the two, call `all_reduce` on every rank, and only then check the count.",
        "If nothing was counted on any rank, return `float('nan')`. Otherwise return correct / counted.",
    ),
)


def mean_gradient(gradients, sizes):
    """The mean of each rank is weighted by its share of the examples. A rank without examples is left out."""
    total = sum(sizes)
    present = [(gradients[rank], size / total) for rank, size in enumerate(sizes) if size]
    return [sum(rank[i] * part for rank, part in present) for i in range(len(gradients[0]))]


def plain_mean(gradients, sizes):
    """You gave every rank the same weight, as DDP does. Then each of the 7 examples of a short rank counts more
    than four times as much as one of the 32 elsewhere. Weight each rank by its share of the examples."""
    present = [rank for rank, size in zip(gradients, sizes, strict=True) if size]
    return [sum(tensors) / len(present) for tensors in zip(*present, strict=True)]


def only_summed(gradients, sizes):
    """You summed the gradients, so with twice as many ranks the step would be twice as large. The task asks for
    the mean."""
    present = [rank for rank, size in zip(gradients, sizes, strict=True) if size]
    return [sum(tensors) for tensors in zip(*present, strict=True)]


def sum_over_examples(gradients, sizes):
    """You weighted by the sizes but did not divide by their sum. That is the gradient of the summed loss."""
    present = [(rank, size) for rank, size in zip(gradients, sizes, strict=True) if size]
    return [sum(rank[i] * size for rank, size in present) for i in range(len(gradients[0]))]


def divided_by_ranks(gradients, sizes):
    """You weighted by the sizes but divided by the number of ranks. Divide by the number of examples."""
    present = [(rank, size / len(sizes)) for rank, size in zip(gradients, sizes, strict=True) if size]
    return [sum(rank[i] * part for rank, part in present) for i in range(len(gradients[0]))]


def nothing_times_nan(gradients, sizes):
    """The weights are right, but 0 times NaN is NaN, so the rank without examples makes the sum NaN. Leave that
    rank out."""
    total = sum(sizes)
    pairs = list(zip(gradients, sizes, strict=True))
    return [sum(rank[i] * (size / total) for rank, size in pairs) for i in range(len(gradients[0]))]


def begun_with_rank_0(gradients, sizes):
    """You began the sum with rank 0's tensors times 0. If rank 0 has no examples, its tensors are NaN, and NaN
    times 0 is NaN. Begin with `torch.zeros_like`."""
    total, sums = sum(sizes), [tensor * 0 for tensor in gradients[0]]
    for rank, size in zip(gradients, sizes, strict=True):
        if size:
            sums = [one + tensor * (size / total) for one, tensor in zip(sums, rank, strict=True)]
    return sums


def every_nan_hidden(gradients, sizes):
    """You replaced every NaN by a number, also those of a rank *with* examples, so a run that has diverged would
    look healthy. Leave out only the ranks without examples."""
    total = sum(sizes)
    pairs = list(zip(gradients, sizes, strict=True))
    return [
        sum(torch.where(rank[i].isnan(), 0.0, rank[i]) * (size / total) for rank, size in pairs)
        for i in range(len(gradients[0]))
    ]


def too_large_for_half(gradients, sizes):
    """In float16 an intermediate value became infinite although the mean is finite. A gradient times its size,
    or a sum of these, can exceed 65504. Divide first, `size / sum(sizes)`, or add up in a wider dtype."""
    pairs = [(rank, size) for rank, size in zip(gradients, sizes, strict=True) if size]
    return [sum(rank[i] * size for rank, size in pairs) / sum(sizes) for i in range(len(gradients[0]))]


mean_gradient = Answer(
    mean_gradient,
    mistakes=(
        plain_mean,
        only_summed,
        sum_over_examples,
        divided_by_ranks,
        nothing_times_nan,
        begun_with_rank_0,
        every_nan_hidden,
        too_large_for_half,
    ),
    hints=(
        "The mean over all examples is the sum of (mean of the rank * size of the rank), divided by the number "
        "of all examples.",
        "`sizes[r] / sum(sizes)` is the weight of rank r. What is 0 * NaN?",
    ),
)


def sync_statistics(shares):
    """Each rank needs to send three values only: the sum of its examples, the sum of their squares, and their
    number."""
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * count / (count - 1)


def _added(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    return count, mean, sum(share.square().sum(0) for share in shares) / count - mean.square()


def mean_of_means(shares):
    """You averaged the means of the ranks, so a rank with few examples counts as much as one with many. Send
    sums and counts, and divide once at the end."""
    mean = sum(share.sum(0) / len(share) for share in shares) / len(shares)
    count = sum(len(share) for share in shares)
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * count / (count - 1)


def all_by_means(shares):
    """You averaged the means of the ranks, both of the examples and of their squares, so a rank with few
    examples counts as much as one with many. Send sums and counts, and divide once at the end."""
    mean = sum(share.sum(0) / len(share) for share in shares) / len(shares)
    squares = sum(share.square().sum(0) / len(share) for share in shares) / len(shares)
    variance, count = squares - mean.square(), sum(len(share) for share in shares)
    return mean, variance, variance * count / (count - 1)


def variance_within(shares):
    """You averaged the variances of the ranks. That ignores how far the means of the ranks are apart. Send each
    rank's sum of squares, and subtract the square of the mean once, at the end."""
    count, mean, _ = _added(shares)
    within = [share.square().sum(0) - share.sum(0).square() / len(share) for share in shares]
    variance = sum(within) / count
    return mean, variance, variance * count / (count - 1)


def squares_only(shares):
    """The mean of the squares is not yet the variance. Subtract the square of the mean."""
    count, mean, _ = _added(shares)
    squares = sum(share.square().sum(0) for share in shares) / count
    return mean, squares, squares * count / (count - 1)


def biased_twice(shares):
    """The third value must be the *unbiased* variance, divided by count - 1, which BatchNorm keeps for
    evaluation."""
    _, mean, variance = _added(shares)
    return mean, variance, variance


def unbiased_twice(shares):
    """The second value must be divided by the count, because BatchNorm normalises with it. Only the third is
    divided by count - 1."""
    count, mean, variance = _added(shares)
    unbiased = variance * count / (count - 1)
    return mean, unbiased, unbiased


def exchanged(shares):
    """The two variances are swapped. The second value is divided by the count, the third by count - 1."""
    count, mean, variance = _added(shares)
    return mean, variance * count / (count - 1), variance


def corrected_by_rank(shares):
    """You subtracted 1 for each rank. All ranks together estimate one mean, so the divisor is count - 1."""
    count, mean, variance = _added(shares)
    return mean, variance, variance * (count / torch.tensor(float(count - len(shares))))


sync_statistics = Answer(
    sync_statistics,
    mistakes=(
        mean_of_means,
        all_by_means,
        variance_within,
        squares_only,
        biased_twice,
        unbiased_twice,
        exchanged,
        corrected_by_rank,
    ),
    hints=(
        "Each rank sends three values: `share.sum(0)`, `share.square().sum(0)` and `len(share)`. Add them over "
        "the ranks.",
        "The mean is sum / count, and the biased variance is square sum / count - mean**2.",
        "The unbiased variance is the biased one times count / (count - 1).",
    ),
)
