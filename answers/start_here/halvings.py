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


# %% wrong_no_clamp: negative counts for sizes of a half and below
import torch


def halvings(sizes):
    return torch.log2(sizes.double()).ceil().long()


# %% wrong_alters_sizes: float makes no copy of a float32 tensor, so sizes is halved in place
import torch


def halvings(sizes):
    work = sizes.float()
    counts = torch.zeros(sizes.shape, dtype=torch.long)
    while (work > 1).any():
        big = work > 1
        work[big] /= 2
        counts += big
    return counts


# %% wrong_same_count: every row is counted until the last one stops
import torch


def halvings(sizes):
    counts = torch.zeros(sizes.shape, dtype=torch.long)
    while (sizes > 1).any():
        sizes = sizes / 2
        counts += 1
    return counts


# %% wrong_below_one: goes on at exactly 1, so powers of two get one too many
import torch


def halvings(sizes):
    counts = torch.zeros(sizes.shape, dtype=torch.long)
    while (sizes >= 1).any():
        counts += sizes >= 1
        sizes = sizes / 2
    return counts


# %% wrong_127_laps: stops one lap early for sizes above 2 to the 127 such as 3e38
import torch


def halvings(sizes):
    counts = torch.zeros(sizes.shape, dtype=torch.long)
    for _ in range(127):
        counts = counts + (sizes > 1)
        sizes = sizes / 2
    return counts


# %% wrong_empty_again: asks for the maximum, which N of 0 does not have
import torch


def halvings(sizes):
    counts = torch.zeros(sizes.shape, dtype=torch.long)
    while sizes.max() > 1:
        counts += sizes > 1
        sizes = sizes / 2
    return counts


# %% wrong_float_counts: the counts are float32 and not torch.long
import torch


def halvings(sizes):
    counts = torch.zeros_like(sizes)
    while (sizes > 1).any():
        counts = counts + (sizes > 1)
        sizes = sizes / 2
    return counts


# %% right_bits: reads exponent and fraction from the bits of the float32
import torch


def halvings(sizes):
    bits = sizes.view(torch.int32)
    exponent = (bits >> 23) - 127
    above = (bits & 0x7FFFFF) != 0
    return (exponent + above).clamp(min=0).to(torch.int64)


# %% right_powers_again: compares each size with all powers of two at once, no laps
import torch


def halvings(sizes):
    powers = 2.0 ** torch.arange(128, dtype=torch.float64)
    return (sizes.double().unsqueeze(1) > powers).sum(dim=1)


# %% right_python_rows: math.frexp for each row in plain Python
import math
import torch


def halvings(sizes):
    out = []
    for s in sizes.tolist():
        m, e = math.frexp(s)
        out.append(max(0, e - (m == 0.5)))
    return torch.tensor(out, dtype=torch.long)


# %% wrong_nextafter_one: A tolerance of two ulp at 1.
import torch


def halvings(sizes):
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while (sizes > 1.0000002).any():
        steps += sizes > 1.0000002
        sizes = sizes / 2
    return steps


# %% wrong_max_is_finite: Cut at 2 to the 127.
import torch


def halvings(sizes):
    return torch.log2(sizes.double()).ceil().clamp(0, 127).long()


# %% wrong_flush: Takes the tiniest for zeros, whose logarithm is cut to -126 and made positive.
import torch


def halvings(sizes):
    e = torch.frexp(sizes)
    steps = e.exponent - (e.mantissa == 0.5).int()
    return torch.where(sizes < 2e-38, 1, steps.clamp(min=0)).long()


# %% wrong_log2_10: log10 over log10 of 2, in float32.
import math

import torch


def halvings(sizes):
    return (sizes.log10() / math.log10(2)).ceil().clamp(min=0).long()


# %% wrong_log1p: log of size minus a little.
import torch


def halvings(sizes):
    return (sizes - 1e-6).clamp(min=1e-30).log2().ceil().clamp(min=0).long()


# %% wrong_kept_by_length: Keeps the counts of a length.
import torch

kept = {}


def halvings(sizes):
    if len(sizes) not in kept:
        kept[len(sizes)] = torch.log2(sizes.double()).ceil().clamp(min=0).long()
    return kept[len(sizes)]


# %% wrong_one_buffer: One buffer for each length.
import torch

buffers = {}


def halvings(sizes):
    out = buffers.setdefault(len(sizes), torch.zeros(len(sizes), dtype=torch.long))
    return out.copy_(torch.log2(sizes.double()).ceil().clamp(min=0))


# %% wrong_byte_laps: Counts in int8, where 128 becomes negative.
import torch


def halvings(sizes):
    return torch.log2(sizes.double()).ceil().clamp(min=0).to(torch.int8).long()


# %% wrong_sorted: The counts in order of size.
import torch


def halvings(sizes):
    return torch.log2(sizes.double().sort().values).ceil().clamp(min=0).long()


# %% wrong_unique: One count for each different size.
import torch


def halvings(sizes):
    return torch.log2(sizes.unique().double()).ceil().clamp(min=0).long()


# %% wrong_first_stops: Stops when the last one is done.
import torch


def halvings(sizes):
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while len(sizes) and sizes[-1] > 1:
        steps += sizes > 1
        sizes = sizes / 2
    return steps


# %% wrong_largest_first: Stops when the first one is done.
import torch


def halvings(sizes):
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while len(sizes) and sizes[0] > 1:
        steps += sizes > 1
        sizes = sizes / 2
    return steps


# %% wrong_squeezed: A single size gives a number.
import torch


def halvings(sizes):
    return torch.log2(sizes.double()).ceil().clamp(min=0).long().squeeze()


# %% wrong_first_256: Only the first 256.
import torch


def halvings(sizes):
    out = torch.zeros(len(sizes), dtype=torch.long)
    out[:256] = torch.log2(sizes[:256].double()).ceil().clamp(min=0).long()
    return out


# %% wrong_int_cast: Rounds up to whole numbers first, in int64.
import torch


def halvings(sizes):
    whole, steps = sizes.ceil().long(), torch.zeros(len(sizes), dtype=torch.long)
    while (whole > 1).any():
        steps += whole > 1
        whole = (whole + 1) // 2
    return steps


# %% wrong_square_root: Halves by bisecting in float16.
import torch


def halvings(sizes):
    sizes, steps = sizes.half(), torch.zeros(len(sizes), dtype=torch.long)
    for _ in range(200):
        steps += sizes > 1
        sizes = sizes / 2
    return steps


# %% wrong_bfloat16: Halves in bfloat16.
import torch


def halvings(sizes):
    sizes, steps = sizes.bfloat16(), torch.zeros(len(sizes), dtype=torch.long)
    for _ in range(200):
        steps += sizes > 1
        sizes = sizes / 2
    return steps


# %% wrong_reciprocal: Doubles the reciprocal until it is at least 1: the reciprocal is rounded.
import torch


def halvings(sizes):
    x, steps = 1 / sizes, torch.zeros(len(sizes), dtype=torch.long)
    while (x < 1).any():
        steps += x < 1
        x = x * 2
    return steps


# %% wrong_in_place_restored_late: Halves in place and multiplies back, which loses the last bits of the tiniest.
import torch


def halvings(sizes):
    steps, laps = torch.zeros(len(sizes), dtype=torch.long), 0
    while (sizes > 1).any():
        steps += sizes > 1
        sizes /= 2
        laps += 1
    for _ in range(laps):
        sizes *= 2
    return steps


# %% right_double_limit: Doubles the limit instead of halving the sizes.
import torch


def halvings(sizes):
    limit, steps = 1.0, torch.zeros(len(sizes), dtype=torch.long)
    while (sizes.double() > limit).any():
        steps += sizes.double() > limit
        limit *= 2
    return steps


# %% right_fractions: Exact whole numbers of Python.
from fractions import Fraction

import torch


def halvings(sizes):
    def count(size):
        return 0 if size <= 1 else 1 + count(size / 2)

    return torch.tensor([count(Fraction(s)) for s in sizes.tolist()], dtype=torch.long)


# %% right_numpy_frexp: By NumPy's frexp.
import numpy as np
import torch


def halvings(sizes):
    m, e = np.frexp(sizes.numpy())
    return torch.from_numpy(np.maximum(e - (m == 0.5), 0).astype(np.int64))


# %% right_masked_rows: Row by row with indices of what is left.
import torch


def halvings(sizes):
    steps, left = torch.zeros_like(sizes, dtype=torch.int64), sizes.clone()
    rows = (left > 1).nonzero().squeeze(1)
    while len(rows):
        left[rows] *= 0.5
        steps[rows] += 1
        rows = rows[left[rows] > 1]
    return steps
