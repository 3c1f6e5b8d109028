"""Questions of chapter 10: a sampler's indices, accuracy over ranks, uneven shares, one BatchNorm of many."""

import contextlib
import copy
import random

import numpy as np
import torch

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.variants import strided, transposed


def lengths_and_ranks(seed: int) -> list[tuple]:
    """Return the arguments (length, world_size) of each case.

    The last rank short, none short, fewer examples than ranks, one example, one rank; as many as ranks, and begun
    again five times.
    """
    draw = random.Random(seed)
    cases = [(10, 4), (8, 2), (2, 5), (1, 3), (draw.randrange(20, 40), 3), (draw.randrange(5, 9), 1), (9, 7)]
    return [*cases, (4, 4), (2, 11)]


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


def _lists_of_ints(answer, length, world_size):
    """What the answer gives, once each share is a list and each index an int: 4.0 equals 4, and is no index."""
    dealt = answer(length, world_size)
    for rank, share in enumerate(dealt if isinstance(dealt, (list, tuple)) else []):
        if not isinstance(share, list):
            raise TypeError(f"rank {rank} has a {type(share).__name__}, expected a list of ints")
        for index in share:
            if not isinstance(index, (int, np.integer)):
                raise TypeError(f"rank {rank} has an index of type {type(index).__name__}, expected an int")
    return dealt


rank_indices = Exercise(
    rank_indices,
    inputs=lengths_and_ranks,
    probe=_lists_of_ints,
    mistakes=(in_blocks, not_filled_up, rest_dropped, last_one_repeated, filled_up_once),
    hints=(
        "How many indices does each rank get, if all get equally many and none is left out? Round up.",
        "Write down all indices in order, go on from 0 again until the count divides by `world_size`.",
        "Then rank r takes `filled[r::world_size]`. With 2 examples and 5 ranks you begin again more than once.",
    ),
)


def batches_of_ranks(seed: int) -> list[tuple]:
    """Return the arguments (batches, more) of each case: lists by rank of lists of (logits, targets).

    Unequal ranks, one without examples (the last, the first, all at first), a rank of padding only, one rank alone,
    a batch of nothing, thousands in other dtypes and strides, nothing but padding, infinite logits; one class, two,
    and single rows: ties, logits that lie close together or are large, minus infinity, NaN.
    """
    draw = torch.Generator().manual_seed(seed)

    def batch(count, padded=0, dtype=torch.float32, classes=4):
        logits = torch.randn(count, classes, generator=draw).to(dtype)
        targets = torch.where(
            torch.rand(count, generator=draw) < 0.6,  # some six of ten are right
            logits.argmax(1),
            torch.randint(0, classes, (count,), generator=draw),
        )
        targets[count - padded :] = -100
        return logits, targets

    large = [(strided(logits), targets) for logits, targets in [batch(3001, 1, torch.float64)]]
    infinite = batch(6)
    infinite[0][::2, 1] = torch.inf
    return [
        ([[batch(8), batch(3)], [batch(5, 2)], [batch(4, 1)]], [[batch(2)], [batch(6)], [batch(1, 1)]]),
        ([[batch(7)], [batch(2)], []], [[batch(3)], [], []]),
        ([[], [batch(9, 3)]], [[batch(5)], []]),
        ([[], []], [[], [batch(4)]]),
        ([[batch(3, 3)], [batch(10, 1), batch(2, 2)]], [[batch(1)], []]),
        ([[batch(1)]], [[batch(12, 4)]]),
        ([[batch(0)], [batch(4), batch(0)]], [[], [batch(0)]]),
        ([large, [batch(501, 0, torch.bfloat16)]], [[], [batch(2101, 0, torch.float16)]]),
        ([[batch(2, 2)], []], [[], [batch(3, 3)]]),
        ([[infinite], [batch(1)], [batch(1)], [batch(5, 4)]], [[], [], [], []]),
        *(([[batch(5, 1, classes=classes)], [batch(2, classes=classes)]], [[], []]) for classes in (1, 2)),
        *(([[_row(logits, target, dtype)]], [[]]) for logits, target, dtype in _ROWS),
    ]


_ROWS = (  # logits, target, dtype; the target of a tie is not the first of those that are highest
    ([1.0, 3.0, 3.0, 2.0], 2, torch.float32),
    ([0.0, 0.0, 0.0, 0.0], 3, torch.float32),
    ([100.0, 100.00001, 1.0, 1.0], 1, torch.float32),
    ([1.0, 1.0 + 1e-12, 0.0, 0.0], 1, torch.float64),
    ([60.0, 120.0, 0.0, 0.0], 1, torch.float32),
    ([-3000.0, -2000.0, -1000.0, -4000.0], 2, torch.float32),
    ([-torch.inf] * 4, 0, torch.float32),
    ([-torch.inf, -torch.inf, -1e30, -torch.inf], 2, torch.float32),
    ([0.0, torch.inf, torch.nan, 0.0], 2, torch.float32),
)


def _row(logits, target, dtype):
    return torch.tensor([logits], dtype=dtype), torch.tensor([target])


class _Waits(BaseException):
    """Rank so-and-so has come to an all_reduce whose sum is not known yet."""


def _reduced(metrics):
    """Return what `compute` gives on each rank, or a sentence where the ranks' calls of all_reduce do not match.

    One process plays all ranks: copies of them run until each waits in its next all_reduce, whose sum is then
    known; so on, until all return. Last the ranks themselves run, with all sums known.
    """
    sums = []
    while True:
        waiting, calls = [], []
        for metric in metrics:
            calls.append(0)
            with contextlib.suppress(_Waits):
                copy.deepcopy(metric).compute(_all_reduce(sums, calls, waiting))
        if not waiting:
            return [metric.compute(_all_reduce(sums, [0], [])) for metric in metrics]
        if len(waiting) < len(metrics):
            left = next(rank for rank, count in enumerate(calls) if count == len(sums))
            return f"rank {left} returns after {len(sums)} calls of all_reduce, and another rank waits in its next"
        if len({(tensor.shape, tensor.dtype) for tensor in waiting}) > 1:
            return "the ranks hand all_reduce tensors of different shapes or dtypes"
        sums.append(sum(waiting[1:], start=waiting[0]))


def _all_reduce(sums, calls, waiting):
    def all_reduce(tensor):
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"all_reduce takes a tensor, found {type(tensor).__name__}")
        calls[-1] += 1
        if calls[-1] > len(sums):
            waiting.append(tensor.detach().clone())
            raise _Waits
        tensor.data.copy_(sums[calls[-1] - 1])

    return all_reduce


def _over_ranks(answer, batches, more):
    metrics, report = [answer() for _ in batches], {}
    for words, coming in (("at first", batches), ("after more batches", more)):
        returned = [metric.update(*one) for metric, own in zip(metrics, coming, strict=True) for one in own]
        report[f"update returns nothing {words}"] = all(value is None for value in returned)
        report[f"the accuracy on each rank {words}"] = _reduced(metrics)
        report[f"the accuracy on each rank {words}, computed again"] = _reduced(metrics)
    return report


def _counts(batches, more):
    def said(ranks):
        return ", ".join(str([len(targets) for _, targets in own]) for own in ranks)

    if len(batches) == 1 and not more[0]:
        (logits, targets), dtype = batches[0][0], str(batches[0][0][0].dtype).removeprefix("torch.")
        return f"one rank, one example: logits {logits[0].tolist()} ({dtype}), target {targets.item()}"
    return f"batches of these sizes, rank by rank: {said(batches)}; then more: {said(more)}"


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


class _Counted:
    """The reference's way, for the mistakes below: while an answer is judged the reference cannot be called."""

    def __init__(self):
        self.counts = torch.zeros(2, dtype=torch.int64)

    def update(self, logits, targets):
        self.counts += torch.stack([(logits.argmax(1) == targets).sum(), (targets != -100).sum()])

    def compute(self, all_reduce):
        counts = self.counts.clone()
        all_reduce(counts)
        right, counted = counts.tolist()
        return right / counted if counted else float("nan")


class PaddingCounted(_Counted):
    """You counted the padding as examples: no guess is -100, so each counts as wrong. Count `targets != -100`."""

    def update(self, logits, targets):
        self.counts += torch.stack([(logits.argmax(1) == targets).sum(), torch.tensor(len(targets))])


class OwnOnly(_Counted):
    """Each rank gives the accuracy of its own examples. Add up the counts over the ranks first."""

    def compute(self, all_reduce):
        all_reduce(self.counts.clone())
        right, counted = self.counts.tolist()
        return right / counted if counted else float("nan")


class MeanOfRanks(_Counted):
    """You averaged the ranks' accuracies. A rank with few examples then counts as much as one with many: add up
    the right ones and the counted ones, and divide once at the end."""

    def compute(self, all_reduce):
        right, counted = self.counts.tolist()
        pair = torch.tensor([right / counted, 1.0] if counted else [0.0, 0.0], dtype=torch.float64)
        all_reduce(pair)
        return (pair[0] / pair[1]).item()


class ReducedInPlace(_Counted):
    """`all_reduce` has overwritten the rank's own counts with the sum: computed again, or after more batches, they
    are added up once more. Reduce a clone."""

    def compute(self, all_reduce):
        all_reduce(self.counts)
        right, counted = self.counts.tolist()
        return right / counted if counted else float("nan")


class EmptyRankLeaves(_Counted):
    """A rank that has counted nothing returned before `all_reduce`: the others wait there for it. Every rank calls
    it, and looks at the count afterwards."""

    def compute(self, all_reduce):
        if not self.counts[1]:
            return float("nan")
        return super().compute(all_reduce)


class NobodyIsZero(_Counted):
    """Where nobody has counted anything you gave 0. No example is not the same as no right one: return NaN."""

    def compute(self, all_reduce):
        accuracy = super().compute(all_reduce)
        return accuracy if accuracy == accuracy else 0.0


Accuracy = Exercise(
    Accuracy,
    inputs=batches_of_ranks,
    probe=_over_ranks,
    describe=_counts,
    mistakes=(PaddingCounted, OwnOnly, MeanOfRanks, ReducedInPlace, EmptyRankLeaves, NobodyIsZero),
    hints=(
        "Two whole numbers are enough: how many guesses were right, how many examples counted (`targets != -100`).",
        "`compute`: a clone of the two, `all_reduce` on every rank, and only then a look at the count.",
        "With nothing counted anywhere return `float('nan')`; else right / counted.",
    ),
)


def ranks_and_sizes(seed: int) -> list[tuple]:
    """Return (gradients, sizes) of each case.

    Uneven, even, one rank, one without examples (NaN) in the middle, four, many in float64; the first rank without
    examples, the last, two; a NaN of a rank with examples; large gradients; a rank with examples that is all NaN;
    four dtypes in one list; float16 near its end; float64 that float32 cannot hold.
    """
    draw = torch.Generator().manual_seed(seed)
    cases = []
    sizes_of_cases = [32, 32, 7], [8, 8], [5], [4, 0, 12], [1, 2, 3, 10], [200, 3, 90]
    for sizes in (*sizes_of_cases, [0, 5], [5, 0], [0, 3, 0, 9], [1, 3], [6, 2]):
        dtype = torch.float64 if sizes[0] == 200 else torch.float32
        shapes = (3, 2), (4,), ()
        ranks = [[torch.randn(shape, generator=draw, dtype=dtype) for shape in shapes] for _ in sizes]
        for rank, size in zip(ranks, sizes, strict=True):
            rank[:2] = transposed(rank[0]), strided(rank[1])
            if size == 0:
                rank[:] = [torch.full(shape, torch.nan) for shape in shapes]  # the mean over no example
        cases.append((ranks, sizes))
    cases[-2][0][0][0][1, 0] = torch.nan  # a run that has diverged
    cases[-1][0][0][1] *= 1e30
    return [*cases, *_further_gradients(draw)]


def _further_gradients(draw):
    def whole(*shape, dtype=torch.float32):  # so small and even that a sum is exact in each dtype
        return torch.randint(-8, 9, shape, generator=draw).mul(4).to(dtype)

    def of_four_dtypes():
        row = whole(2, dtype=torch.bfloat16)
        scalars = [whole(dtype=dtype) for dtype in (torch.float64, torch.float16)]
        return [whole(3, 2), whole(4, dtype=torch.float16), *scalars, row.expand(3, 2), whole(0)]

    large = [[torch.tensor(numbers).half()] for numbers in ([40_960.0, 200.0], [49_152.0, -600.0])]
    beyond = [[torch.randn(3, generator=draw, dtype=torch.float64) * scale] for scale in (1e100, 1.0)]
    gone = [[torch.randn(2, 2, generator=draw), torch.randn(3, generator=draw)] for _ in range(3)]
    gone[1] = [torch.full_like(tensor, torch.nan) for tensor in gone[1]]
    return [
        (gone, [4, 6, 2]),
        ([of_four_dtypes(), of_four_dtypes()], [6, 2]),
        (large, [75_000, 25_000]),
        (beyond, [5, 3]),
    ]


def _sizes_and_dtypes(gradients, sizes):
    names = dict.fromkeys(str(tensor.dtype).removeprefix("torch.") for tensor in gradients[0])
    many = f"{len(gradients[0])} tensor{'s' * (len(gradients[0]) > 1)}"
    return f"{len(sizes)} rank{'s' * (len(sizes) > 1)} with {sizes} examples, {many} each ({', '.join(names)})"


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
    """You added the gradients up. Then twice the ranks make twice the step. A mean is asked for."""
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


mean_gradient = Exercise(
    mean_gradient,
    inputs=ranks_and_sizes,
    describe=_sizes_and_dtypes,
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


class Share:
    """What a rank has of a batch, (N, C), of which only the sum, the sum of the squares and N can be asked."""

    def __init__(self, examples: torch.Tensor) -> None:
        self.__examples = examples

    def sum(self, dim: int | None = None, *, axis: int | None = None) -> torch.Tensor:
        """Return the sum over the examples, (C,). Raises TypeError for another axis than 0."""
        if (axis if dim is None else dim) != 0:
            raise TypeError("a share gives its `sum(0)`, over the examples, and no other sum")
        return self.__examples.sum(0)

    def square(self) -> "Share":
        """Return the share of the squares."""
        return Share(self.__examples.square())

    def __len__(self) -> int:
        return len(self.__examples)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Share) and torch.allclose(
            self.__examples, other.__examples, rtol=0, atol=0, equal_nan=True
        )

    __hash__ = None

    def __getattr__(self, name: str) -> object:
        raise AttributeError(f"a share gives `sum(0)`, `square().sum(0)` and `len(share)`, and no `{name}`")

    def __iter__(self) -> None:
        raise TypeError("a share gives its sums and its length, and not its examples one by one")

    def __repr__(self) -> str:
        sums = ", ".join(f"{number:.4g}" for number in self.sum(0).tolist())
        return f"a share of {len(self)} examples, whose sum is [{sums}]"


def shares_of_a_batch(seed: int) -> list[tuple]:
    """Return the arguments (shares,) of each case.

    Lists of shares (N, C), one a rank: uneven, even, one rank, a single example first, last and everywhere, far
    from 0; float64, far away and near; NaN in one channel and infinity in another; channels that are constant.
    """
    draw = torch.Generator().manual_seed(seed)

    def normals(*sizes, channels=3, shift=1.0, dtype=torch.float32, first=0.0):
        place = first + torch.arange(channels, dtype=dtype) * shift
        tensors = [torch.randn(n, channels, generator=draw, dtype=dtype) * (1 + i) for i, n in enumerate(sizes)]
        return [tensor + place for tensor in tensors]

    constant = [torch.tensor([[0.0, 3.0, -20.0]], dtype=torch.float64).repeat(n, 1) for n in (3, 2)]
    wild = normals(3, 4, channels=4)
    wild[0][1, 0], wild[1][2, 2] = torch.nan, torch.inf
    cases = [normals(6, 2), normals(4, 4), normals(5), normals(1, 7, 3), normals(2, 2, 2, 2, channels=1, shift=5.0)]
    cases += [normals(9, 1), normals(1, 1), normals(5, 8, dtype=torch.float64, first=1000.0)]
    cases += [normals(3, 2, 40, channels=2, dtype=torch.float64, shift=1e-3), wild, constant]
    return [([Share(tensor) for tensor in case],) for case in cases]


def _sizes(shares):
    return f"shares of {', '.join(str(len(share)) for share in shares)} examples"


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


sync_statistics = Exercise(
    sync_statistics,
    inputs=shares_of_a_batch,
    describe=_sizes,
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
