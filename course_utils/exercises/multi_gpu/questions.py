"""What chapter 10 asks: a sampler's indices, accuracy over ranks, uneven shares, one BatchNorm of many.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import contextlib
import copy
import random

import numpy as np
import torch

from lessonkit.checks.question import Question
from lessonkit.checks.variants import strided, transposed
from lessonkit.checks.wording import dtype_of


def lengths_and_ranks(seed: int) -> list[tuple]:
    """Return the arguments (length, world_size) of each case.

    The last rank short, none short, fewer examples than ranks, one example, one rank; as many as ranks, and begun
    again five times.
    """
    draw = random.Random(seed)
    cases = [(10, 4), (8, 2), (2, 5), (1, 3), (draw.randrange(20, 40), 3), (draw.randrange(5, 9), 1), (9, 7)]
    return [*cases, (4, 4), (2, 11)]


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


rank_indices = Question(
    "rank_indices",
    inputs=lengths_and_ranks,
    probe=_lists_of_ints,
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
        (logits, targets), dtype = batches[0][0], dtype_of(batches[0][0][0])
        return f"one rank, one example: logits {logits[0].tolist()} ({dtype}), target {targets.item()}"
    return f"batches of these sizes, rank by rank: {said(batches)}; then more: {said(more)}"


Accuracy = Question(
    "Accuracy",
    inputs=batches_of_ranks,
    probe=_over_ranks,
    describe=_counts,
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
    names = dict.fromkeys(map(dtype_of, gradients[0]))
    many = f"{len(gradients[0])} tensor{'s' * (len(gradients[0]) > 1)}"
    return f"{len(sizes)} rank{'s' * (len(sizes) > 1)} with {sizes} examples, {many} each ({', '.join(names)})"


mean_gradient = Question(
    "mean_gradient",
    inputs=ranks_and_sizes,
    describe=_sizes_and_dtypes,
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


sync_statistics = Question(
    "sync_statistics",
    inputs=shares_of_a_batch,
    describe=_sizes,
)
