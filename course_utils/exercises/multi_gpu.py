"""Questions of chapter 10: a sampler's indices, names without wrapper, uneven shares, one BatchNorm of many."""

import random

import torch

from course_utils.checks.exercise import Exercise


def lengths_and_ranks(seed: int) -> list[tuple]:
    """Return the arguments (length, world_size) of each case.

    The last rank short, none short, fewer examples than ranks, one example, one rank.
    """
    draw = random.Random(seed)
    return [(10, 4), (8, 2), (2, 5), (1, 3), (draw.randrange(20, 40), 3), (draw.randrange(5, 9), 1), (9, 7)]


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


rank_indices = Exercise(
    rank_indices,
    inputs=lengths_and_ranks,
    mistakes=(in_blocks, not_filled_up, rest_dropped, last_one_repeated),
    hints=(
        "How many indices does each rank get, if all get equally many and none is left out? Round up.",
        "Write down all indices in order, go on from 0 again until the count divides by `world_size`.",
        "Then rank r takes `filled[r::world_size]`. With 2 examples and 5 ranks you begin again more than once.",
    ),
)


def saved_states(seed: int) -> list[tuple]:
    """Return the arguments (state,) of each case.

    Wrapped, not wrapped, a layer called module in both, names that begin with the letters, empty.
    """
    draw = torch.Generator().manual_seed(seed)

    def state(*names):
        return {name: torch.randn(2, generator=draw) for name in names}

    return [
        (state("module.0.weight", "module.0.bias", "module.2.weight"),),
        (state("0.weight", "2.weight"),),
        (state("module.model.weight", "module.module.bias", "module.module.module.scale"),),
        (state("module.weight", "head.weight"),),
        (state("modules.weight", "module_list.bias"),),
        (state("module.odule.weight", "module.encoder.module.weight"),),
        (state("module.module.weight", "module.module.bias"),),  # a model whose only layer is called so
        ({},),
    ]


def unwrapped(state):
    """One `module.` off the front, and only where every name has it."""
    prefix = "module."
    if not all(name.startswith(prefix) for name in state):
        return dict(state)
    return {name[len(prefix) :]: tensor for name, tensor in state.items()}


def stripped_letters(state):
    """`lstrip("module.")` takes off any of the letters m, o, d, u, l, e and the dot, however many there are:
    `module.model.weight` becomes `weight`. `removeprefix` takes off the word."""
    if not all(name.startswith("module.") for name in state):
        return dict(state)
    return {name.lstrip("module."): tensor for name, tensor in state.items()}


def replaced_everywhere(state):
    """`replace` also takes `module.` out of the middle of a name, where it is a layer that is called so. The
    wrapper stands in front, once."""
    return {name.replace("module.", ""): tensor for name, tensor in state.items()}


def always_cut(state):
    """You cut seven letters off every name, also where no wrapper was there: a file saved the right way then loads
    no longer."""
    return {name[7:]: tensor for name, tensor in state.items()}


def name_by_name(state):
    """You looked at each name by itself. DDP wraps the whole model: where one name lacks the prefix, the others
    have a layer called `module`, and stay as they are."""
    return {name.removeprefix("module."): tensor for name, tensor in state.items()}


def _with_identity(answer, state):
    found = answer(state)
    if not isinstance(found, dict):
        return found
    same = [a is b for a, b in zip(found.values(), state.values(), strict=False)]
    return {"order": list(found), "tensors": found, "the same tensors": same, "a new dict": found is not state}


unwrapped = Exercise(
    unwrapped,
    inputs=saved_states,
    probe=_with_identity,
    mistakes=(stripped_letters, replaced_everywhere, always_cut, name_by_name),
    hints=(
        "A wrapped model has one `module.` in front of every name: ask `all(...)` first.",
        "`name.removeprefix('module.')` takes off the word once; `lstrip` takes off letters.",
    ),
)


def ranks_and_sizes(seed: int) -> list[tuple]:
    """Return (gradients, sizes): uneven, even, one rank, one without examples (NaN), four, many in float64."""
    draw = torch.Generator().manual_seed(seed)
    cases = []
    for sizes in ([32, 32, 7], [8, 8], [5], [4, 0, 12], [1, 2, 3, 10], [200, 3, 90]):
        dtype = torch.float64 if sizes[0] == 200 else torch.float32
        shapes = (3, 2), (4,)
        ranks = [[torch.randn(shape, generator=draw, dtype=dtype) for shape in shapes] for _ in sizes]
        for rank, size in zip(ranks, sizes, strict=True):
            if size == 0:
                rank[0] = torch.full((3, 2), torch.nan)  # the mean over no example
                rank[1] = torch.full((4,), torch.nan)
        cases.append((ranks, sizes))
    return cases


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


mean_gradient = Exercise(
    mean_gradient,
    inputs=ranks_and_sizes,
    mistakes=(plain_mean, only_summed, sum_over_examples, divided_by_ranks, nothing_times_nan),
    hints=(
        "The mean over all examples is the sum of (rank's mean * rank's size), divided by all examples.",
        "`sizes[r] / sum(sizes)` is the weight of rank r. What is 0 * NaN?",
    ),
    rtol=1e-5,
    atol=1e-6,
)


def shares_of_a_batch(seed: int) -> list[tuple]:
    """Return the arguments (shares,) of each case.

    Lists of (N, C), one a rank: uneven, even, one rank, a single example somewhere, far from 0.
    """
    draw = torch.Generator().manual_seed(seed)

    def normals(*sizes, channels=3, shift=1.0):
        place = torch.arange(channels) * shift
        return ([torch.randn(size, channels, generator=draw) * (1 + n) + place for n, size in enumerate(sizes)],)

    return [normals(6, 2), normals(4, 4), normals(5), normals(1, 7, 3), normals(2, 2, 2, 2, channels=1, shift=5.0)]


def sync_statistics(shares):
    """Three sums from each rank are enough: of the examples, of their squares, and their number."""
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * count / (count - 1)


def _joined(shares):
    together = torch.cat(shares)
    return together.mean(0), together.var(0, unbiased=False), together.var(0)


def mean_of_means(shares):
    """You averaged the ranks' means. A rank with few examples then counts as much as one with many: send sums and
    counts, and divide once at the end."""
    mean = sum(share.mean(0) for share in shares) / len(shares)
    count = sum(len(share) for share in shares)
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * count / (count - 1)


def variance_within(shares):
    """You averaged the ranks' variances. That leaves out how far the ranks' means lie apart. Each rank sends its
    sum of squares; the mean is subtracted at the end, once."""
    mean, _, _ = _joined(shares)
    count = sum(len(share) for share in shares)
    variance = sum(share.var(0, unbiased=False) * len(share) for share in shares) / count
    return mean, variance, variance * count / (count - 1)


def squares_only(shares):
    """The mean of the squares is not yet the variance: take off the square of the mean."""
    mean, _, _ = _joined(shares)
    count = sum(len(share) for share in shares)
    squares = sum(share.square().sum(0) for share in shares) / count
    return mean, squares, squares * count / (count - 1)


def biased_twice(shares):
    """The third is to be the *unbiased* variance, divided by count - 1: BatchNorm keeps that one for evaluation."""
    mean, variance, _ = _joined(shares)
    return mean, variance, variance


def unbiased_twice(shares):
    """The second is to be divided by the count, as BatchNorm normalises with it; only the third by count - 1."""
    mean, _, unbiased = _joined(shares)
    return mean, unbiased, unbiased


def corrected_by_rank(shares):
    """You took one off for each rank. All ranks together estimate one mean, so the divisor is count - 1."""
    mean, variance, _ = _joined(shares)
    count = sum(len(share) for share in shares)
    return mean, variance, variance * count / (count - len(shares))


sync_statistics = Exercise(
    sync_statistics,
    inputs=shares_of_a_batch,
    mistakes=(mean_of_means, variance_within, squares_only, biased_twice, unbiased_twice, corrected_by_rank),
    hints=(
        "From each rank three things: `share.sum(0)`, `share.square().sum(0)`, `len(share)`. Add over the ranks.",
        "mean = sum / count; biased variance = square sum / count - mean**2.",
        "The unbiased one is the biased one times count / (count - 1).",
    ),
    rtol=1e-4,
    atol=1e-4,
)
