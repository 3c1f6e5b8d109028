"""Our answers to the questions of chapter 10: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import torch

from lessonkit.checks.answer import Answer


def rank_indices(length, world_size):
    """Fill up by beginning again from the start until all shares are equal, then deal out one by one."""
    rounds = (length + world_size - 1) // world_size
    return [[(rank + world_size * turn) % length for turn in range(rounds)] for rank in range(world_size)]


def in_blocks(length, world_size):
    """You gave each rank a block of neighbours. The sampler deals like cards: rank 0 gets 0, world_size,
    2 * world_size, and so on."""
    rounds = (length + world_size - 1) // world_size
    filled = [index % length for index in range(rounds * world_size)]
    return [filled[rank * rounds : (rank + 1) * rounds] for rank in range(world_size)]


def not_filled_up(length, world_size):
    """Your shares differ in length. A rank with one batch less leaves the others waiting in `backward`; the sampler
    fills up by beginning again from index 0."""
    return [list(range(rank, length, world_size)) for rank in range(world_size)]


def rest_dropped(length, world_size):
    """You left out what does not divide evenly: that is `drop_last=True`. By default every index is dealt out, and
    some are dealt twice."""
    rounds = length // world_size
    return [[rank + world_size * turn for turn in range(rounds)] for rank in range(world_size)]


def last_one_repeated(length, world_size):
    """You filled up with the last index. The sampler begins again from index 0."""
    rounds = (length + world_size - 1) // world_size
    return [[min(rank + world_size * turn, length - 1) for turn in range(rounds)] for rank in range(world_size)]


def filled_up_once(length, world_size):
    """You began again from 0 once. With 1 example and 3 ranks, or 2 and 5, that does not fill all shares: begin
    again as often as it takes."""
    rounds = (length + world_size - 1) // world_size
    filled = (list(range(length)) * 2)[: rounds * world_size]
    return [filled[rank::world_size] for rank in range(world_size)]


rank_indices = Answer(
    rank_indices,
    mistakes=(in_blocks, not_filled_up, rest_dropped, last_one_repeated, filled_up_once),
    hints=(
        "How many indices does each rank get, if all get equally many and none is left out? Round up.",
        "Write down all indices in order, go on from 0 again until the count divides by `world_size`.",
        "Then rank r takes `filled[r::world_size]`. With 2 examples and 5 ranks you begin again more than once.",
    ),
)


class Accuracy:
    """The share of right guesses over all ranks."""

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
    """You counted the padding as examples: no guess is -100, so each counts as wrong. Count `targets != -100`."""

    def update(self, logits, targets):
        self.counts += torch.stack([(logits.argmax(1) == targets).sum(), torch.tensor(len(targets))])


class OwnOnly(Accuracy):
    """Each rank gives the accuracy of its own examples. Add up the counts over the ranks first."""

    def compute(self, all_reduce):
        all_reduce(self.counts.clone())
        right, counted = self.counts.tolist()
        return right / counted if counted else float("nan")


class MeanOfRanks(Accuracy):
    """You averaged the ranks' accuracies. A rank with few examples then counts as much as one with many: add up
    the right ones and the counted ones, and divide once at the end."""

    def compute(self, all_reduce):
        right, counted = self.counts.tolist()
        pair = torch.tensor([right / counted, 1.0] if counted else [0.0, 0.0], dtype=torch.float64)
        all_reduce(pair)
        return (pair[0] / pair[1]).item()


class ReducedInPlace(Accuracy):
    """`all_reduce` has overwritten the rank's own counts with the sum: computed again, or after more batches, they
    are added up once more. Reduce a clone."""

    def compute(self, all_reduce):
        all_reduce(self.counts)
        right, counted = self.counts.tolist()
        return right / counted if counted else float("nan")


class EmptyRankLeaves(Accuracy):
    """A rank that has counted nothing returned before `all_reduce`: the others wait there for it. Every rank calls
    it, and looks at the count afterwards."""

    def compute(self, all_reduce):
        if not self.counts[1]:
            return float("nan")
        return super().compute(all_reduce)


class NobodyIsZero(Accuracy):
    """Where nobody has counted anything you gave 0. No example is not the same as no right one: return NaN."""

    def compute(self, all_reduce):
        accuracy = super().compute(all_reduce)
        return accuracy if accuracy == accuracy else 0.0


Accuracy = Answer(
    Accuracy,
    mistakes=(PaddingCounted, OwnOnly, MeanOfRanks, ReducedInPlace, EmptyRankLeaves, NobodyIsZero),
    hints=(
        "Two whole numbers are enough: how many guesses were right, how many examples counted (`targets != -100`).",
        "`compute`: a clone of the two, `all_reduce` on every rank, and only then a look at the count.",
        "With nothing counted anywhere return `float('nan')`; else right / counted.",
    ),
)


def mean_gradient(gradients, sizes):
    """Each rank's mean counts as its share of the examples; who has none counts nothing."""
    total = sum(sizes)
    present = [(gradients[rank], size / total) for rank, size in enumerate(sizes) if size]
    return [sum(rank[i] * part for rank, part in present) for i in range(len(gradients[0]))]


def plain_mean(gradients, sizes):
    """You gave every rank the same weight, as DDP does. Each of the 7 examples of a short rank then counts more
    than four times as much as one of the 32 elsewhere. Weight each rank by its share of the examples."""
    present = [rank for rank, size in zip(gradients, sizes, strict=True) if size]
    return [sum(tensors) / len(present) for tensors in zip(*present, strict=True)]


def only_summed(gradients, sizes):
    """You summed the gradients, so twice as many ranks would take a step that is twice as long. The task asks for
    the mean."""
    present = [rank for rank, size in zip(gradients, sizes, strict=True) if size]
    return [sum(tensors) for tensors in zip(*present, strict=True)]


def sum_over_examples(gradients, sizes):
    """You weighted by the sizes and did not divide by their sum: that is the gradient of the summed loss."""
    present = [(rank, size) for rank, size in zip(gradients, sizes, strict=True) if size]
    return [sum(rank[i] * size for rank, size in present) for i in range(len(gradients[0]))]


def divided_by_ranks(gradients, sizes):
    """You weighted by the sizes and divided by the number of ranks. Divide by the number of examples."""
    present = [(rank, size / len(sizes)) for rank, size in zip(gradients, sizes, strict=True) if size]
    return [sum(rank[i] * part for rank, part in present) for i in range(len(gradients[0]))]


def nothing_times_nan(gradients, sizes):
    """The weights are right, but 0 times NaN is NaN: the rank without examples spoils the sum. Leave it out."""
    total = sum(sizes)
    pairs = list(zip(gradients, sizes, strict=True))
    return [sum(rank[i] * (size / total) for rank, size in pairs) for i in range(len(gradients[0]))]


def begun_with_rank_0(gradients, sizes):
    """You began the sum with rank 0's tensors times 0. Where rank 0 is the one without examples they are NaN, and
    NaN they stay: begin with `torch.zeros_like`."""
    total, sums = sum(sizes), [tensor * 0 for tensor in gradients[0]]
    for rank, size in zip(gradients, sizes, strict=True):
        if size:
            sums = [one + tensor * (size / total) for one, tensor in zip(sums, rank, strict=True)]
    return sums


def every_nan_hidden(gradients, sizes):
    """You put a number in the place of every NaN, also of those from a rank *with* examples: a run that has
    diverged then looks healthy. Leave out the ranks without examples, and nothing else."""
    total = sum(sizes)
    pairs = list(zip(gradients, sizes, strict=True))
    return [
        sum(torch.where(rank[i].isnan(), 0.0, rank[i]) * (size / total) for rank, size in pairs)
        for i in range(len(gradients[0]))
    ]


def too_large_for_half(gradients, sizes):
    """In float16 a number on the way became infinite though the mean is not: a gradient times its size, or their
    sum, can pass 65504. Divide first, `size / sum(sizes)`, or add up in a wider dtype."""
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
        "The mean over all examples is the sum of (rank's mean * rank's size), divided by all examples.",
        "`sizes[r] / sum(sizes)` is the weight of rank r. What is 0 * NaN?",
    ),
)


def sync_statistics(shares):
    """Three sums from each rank are enough: of the examples, of their squares, and their number."""
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * count / (count - 1)


def _added(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    return count, mean, sum(share.square().sum(0) for share in shares) / count - mean.square()


def mean_of_means(shares):
    """You averaged the ranks' means. A rank with few examples then counts as much as one with many: send sums and
    counts, and divide once at the end."""
    mean = sum(share.sum(0) / len(share) for share in shares) / len(shares)
    count = sum(len(share) for share in shares)
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * count / (count - 1)


def all_by_means(shares):
    """You averaged the ranks' means, of the examples and of the squares. A rank with few examples then counts as
    much as one with many: send sums and counts, and divide once at the end."""
    mean = sum(share.sum(0) / len(share) for share in shares) / len(shares)
    squares = sum(share.square().sum(0) / len(share) for share in shares) / len(shares)
    variance, count = squares - mean.square(), sum(len(share) for share in shares)
    return mean, variance, variance * count / (count - 1)


def variance_within(shares):
    """You averaged the ranks' variances. That leaves out how far the ranks' means lie apart. Each rank sends its
    sum of squares; the mean is subtracted at the end, once."""
    count, mean, _ = _added(shares)
    within = [share.square().sum(0) - share.sum(0).square() / len(share) for share in shares]
    variance = sum(within) / count
    return mean, variance, variance * count / (count - 1)


def squares_only(shares):
    """The mean of the squares is not yet the variance: take off the square of the mean."""
    count, mean, _ = _added(shares)
    squares = sum(share.square().sum(0) for share in shares) / count
    return mean, squares, squares * count / (count - 1)


def biased_twice(shares):
    """The third is to be the *unbiased* variance, divided by count - 1: BatchNorm keeps that one for evaluation."""
    _, mean, variance = _added(shares)
    return mean, variance, variance


def unbiased_twice(shares):
    """The second is to be divided by the count, as BatchNorm normalises with it; only the third by count - 1."""
    count, mean, variance = _added(shares)
    unbiased = variance * count / (count - 1)
    return mean, unbiased, unbiased


def exchanged(shares):
    """The two variances stand in each other's place: the second is divided by the count, the third by count - 1."""
    count, mean, variance = _added(shares)
    return mean, variance * count / (count - 1), variance


def corrected_by_rank(shares):
    """You took one off for each rank. All ranks together estimate one mean, so the divisor is count - 1."""
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
        "From each rank three things: `share.sum(0)`, `share.square().sum(0)`, `len(share)`. Add over the ranks.",
        "mean = sum / count; biased variance = square sum / count - mean**2.",
        "The unbiased one is the biased one times count / (count - 1).",
    ),
)
