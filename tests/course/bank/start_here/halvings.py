# %% right_frexp: Reads the exponent from the number: m · 2^e with m from a half to one.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    mantissa, exponent = torch.frexp(sizes)
    return (exponent.long() - (mantissa == 0.5).long()).clamp(min=0)


# %% right_powers: Compares each size with all powers of two at once.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    powers = 2.0 ** torch.arange(128)
    return (sizes[:, None] > powers).sum(dim=1)


# %% right_recursion: Calls itself with the halves while any is above 1.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""

    def more(rest, steps):
        return more(rest / 2, steps + (rest > 1)) if (rest > 1).any() else steps

    return more(sizes, torch.zeros_like(sizes, dtype=torch.long))


# %% right_searchsorted: Searches each size among the powers of two.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return torch.searchsorted(2.0 ** torch.arange(128, dtype=torch.float32), sizes.contiguous())


# %% right_where: Leaves what is done as it is.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(sizes.shape, dtype=torch.int64)
    todo = sizes.clone()
    while bool((todo > 1).any()):
        steps.add_((todo > 1).long())
        todo = torch.where(todo > 1, todo * 0.5, todo)
    return steps


# %% wrong_a_little_over: Takes 1.01 for 1, against rounding.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while (sizes > 1.2).any():
        steps = steps + (sizes > 1.2)
        sizes = sizes / 2
    return steps


# %% wrong_absolute: Takes the absolute value of the logarithm: 0.25 gets two.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return sizes.log2().abs().ceil().long()


# %% wrong_at_least_one: Every size is halved at least once, as do-while would.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return sizes.log2().ceil().clamp(min=1).long()


# %% wrong_column: The right counts as a column.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return sizes.log2().ceil().clamp(min=0).long()[:, None]


# %% wrong_empty: Asks for the largest, and there is none in an empty tensor.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while sizes.max() > 1:
        steps = steps + (sizes > 1)
        sizes = sizes / 2
    return steps


# %% wrong_in_place: Halves the sizes it was given.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while (sizes > 1).any():
        above = sizes > 1
        steps += above
        sizes[above] /= 2
    return steps


# %% wrong_int32: Counts in int32.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.int32)
    while (sizes > 1).any():
        steps = steps + (sizes > 1)
        sizes = sizes / 2
    return steps


# %% wrong_laps_numbered: Writes down the number of the lap in which each was last above, from 0.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    lap = 0
    while (sizes > 1).any():
        steps = torch.where(sizes > 1, lap, steps)
        sizes, lap = sizes / 2, lap + 1
    return steps


# %% wrong_list: A list of counts instead of a tensor.
import math


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return [max(0, math.ceil(math.log2(size))) for size in sizes.tolist()]


# %% wrong_natural: The natural logarithm, rounded up.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return sizes.log().ceil().clamp(min=0).long()


# %% wrong_plus_one: Rounds down and adds one: exact powers of two get one too many.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return (sizes.log2().floor() + 1).clamp(min=0).long()


# %% wrong_rounded: Rounds the logarithm to the nearest: 3 comes out right, 5 does not.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return sizes.log2().round().clamp(min=0).long()


# %% wrong_three_laps: Three laps for everybody: enough for 8 and no more.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    for _ in range(3):
        steps = steps + (sizes > 1)
        sizes = sizes / 2
    return steps


# %% wrong_whole_halves: Halves whole numbers: 3 becomes 1 at once.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    rest = sizes.long()
    steps = torch.zeros_like(rest)
    while (rest > 1).any():
        steps = steps + (rest > 1)
        rest = rest // 2
    return steps


# %% right_log_in_double: A logarithm with room enough.
def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return sizes.double().log2().ceil().clamp(min=0).long()


# %% right_python: Number by number, in plain Python.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    counts = []
    for size in sizes.tolist():
        count = 0
        while size > 1:
            size, count = size / 2, count + 1
        counts.append(count)
    return torch.tensor(counts, dtype=torch.long)


# %% right_always_all: As many laps as any float32 needs.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(sizes.shape, dtype=torch.long)
    for _ in range(130):
        steps = steps + (sizes > 1)
        sizes = sizes / 2
    return steps


# %% wrong_log2_float32: A logarithm rounded in float32.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return torch.log2(sizes).ceil().clamp(min=0).long()


# %% wrong_log_ratio: Two natural logarithms, each rounded.
import math
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return (torch.log(sizes) / math.log(2)).ceil().clamp(min=0).long()


# %% wrong_thirty_laps: Thirty laps for everybody.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    for _ in range(30):
        steps = steps + (sizes > 1)
        sizes = sizes / 2
    return steps


# %% wrong_hundred_laps: A hundred laps for everybody.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    for _ in range(100):
        steps = steps + (sizes > 1)
        sizes = sizes / 2
    return steps


# %% wrong_bit_length: The bits of the size below, as whole numbers.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    whole = (sizes.ceil() - 1).int()
    return torch.tensor([max(0, size).bit_length() for size in whole.tolist()], dtype=torch.long)


# %% wrong_max_of_nothing: Asks for the largest, and there is none in an empty tensor.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while float(torch.max(sizes)) > 1:
        steps += sizes > 1
        sizes = sizes * 0.5
    return steps


# %% wrong_in_int64: Halves whole numbers after rounding up.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    rest = sizes.ceil().long()
    steps = torch.zeros_like(rest)
    while (rest > 1).any():
        steps = steps + (rest > 1)
        rest = (rest + 1) // 2
    return steps


# %% wrong_log_nudged: A logarithm with a nudge upward: exact powers get one too many.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return (torch.log2(sizes) + 1e-5).ceil().clamp(min=0).long()


# %% wrong_frexp: The exponent, which counts exact powers once too often.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    return torch.frexp(sizes).exponent.clamp(min=0).long()


# %% wrong_in_float32_counts: Whole numbers in float32.
def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    steps = sizes * 0
    while (sizes > 1).any():
        steps = steps + (sizes > 1)
        sizes = sizes / 2
    return steps
