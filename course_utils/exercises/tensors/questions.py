"""What chapter 01 asks: memory, there and back, windows as a view, means of groups, rows made alike, neighbours.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

from collections.abc import Callable

import torch

from lessonkit.checks.question import Question
from lessonkit.checks.restrictions import no_call, no_loop
from lessonkit.checks.variants import expanded, offset, strided, transposed

settings_alone = no_call(
    "set_default_dtype",
    "set_default_device",
    "set_num_threads",
    "use_deterministic_algorithms",
    "set_deterministic_debug_mode",
)


def tensors_of_each_size(seed: int) -> list[tuple]:
    """Return tensors.

    A table, each number of bytes, one number without an axis, none, an axis of size 1 in front and behind, four
    axes, a large one; parts of a larger tensor: every third row, a column, from the middle on; one number many
    times in the same memory.
    """
    draw = torch.Generator().manual_seed(seed)
    rows, columns = torch.randint(3, 40, (2,), generator=draw).tolist()
    table = torch.zeros(rows, columns)
    dtypes = (torch.bool, torch.uint8, torch.int16, torch.bfloat16, torch.int32, torch.float64, torch.complex128)
    cases = [table, *(torch.ones(rows, columns, dtype=dtype) for dtype in dtypes)]
    cases += [torch.tensor(7.0), torch.tensor(True), torch.empty(0), torch.empty(3, 0, dtype=torch.int64)]
    cases += [torch.zeros(1, 60), torch.zeros(60, 1, dtype=torch.float16), torch.zeros(2, 3, 4, 5).long()]
    cases += [torch.zeros(1000, 300, dtype=torch.float16), transposed(table.short()), offset(table[0].double())]
    cases += [table.repeat(3, 1)[::3], table.half()[:, 1], strided(table.int()), expanded(torch.tensor(2.0), 9)]
    return [(x,) for x in cases]


bytes_of = Question(
    "bytes_of",
    inputs=tensors_of_each_size,
)


def trips(seed: int) -> list[tuple]:
    """Return (values, dtype).

    Grid and range of each float, subnormals, whole numbers beyond the grids, a table read by columns, none, one.
    """
    draw = torch.Generator().manual_seed(seed)
    few = torch.tensor([0.5, 0.1, 2049.0, 65504.0, 70000.0, -3.0, 0.0, -0.0])
    ends = [65519.0, 2.0**-24, 2.0**-25, 1e-8, 3e38, 1e39, -1e300, 2.0**-149, float("inf"), -float("inf")]
    ends = torch.tensor(ends, dtype=torch.float64)
    whole = torch.tensor([2**53 + 1, 2**53, 2**24 + 1, 2**24, 257, 256, 2049, 65520, -(2**60), 2**60 - 1, 0])
    near = torch.tensor([1 + 2**-11, 1 + 2**-10, 1 + 2**-24, 1 + 2**-23, 1.0], dtype=torch.float64)
    table = torch.randint(0, 4000, (5, 12), generator=draw).double() / 8
    halves = (
        torch.rand(300, generator=draw).half().double() + torch.randint(0, 2, (300,), generator=draw) * 2.0**-30
    )
    floats = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
    cases = [(few, torch.float16), (few, torch.bfloat16), (table.T, torch.bfloat16), (halves, torch.float16)]
    cases += [(values, dtype) for values in (ends, whole, near) for dtype in floats]
    cases += [(few[:0], torch.float16), (torch.tensor(0.1), torch.float64), (table[:, ::3].float(), torch.float16)]
    cases += [(ends.float(), dtype) for dtype in floats] + [(table[:0].long(), torch.bfloat16)]
    cases += [(strided(table.long().view(1, 5, 3, 4)), torch.bfloat16), (torch.tensor(2**53 + 1), torch.float64)]
    cases += [(expanded(whole, 3), torch.float32), (offset(whole * -1), torch.float64), (few[1:2], torch.float32)]
    return [(values.clone() if values.is_contiguous() else values, dtype) for values, dtype in cases]


survives = Question(
    "survives",
    inputs=trips,
    restrictions=(settings_alone,),
)


def strips(seed: int) -> list[tuple]:
    """Return (x, size, step).

    A strip of its own, starting later, every third element, a column, one number repeated; the longest and the
    shortest window, steps that leave a rest and steps beyond the window.
    """
    draw = torch.Generator().manual_seed(seed)
    long = torch.randn(40, generator=draw)
    table = torch.randint(0, 100, (9, 4), generator=draw)
    pairs = torch.view_as_complex(torch.randn(2, 15, 2, generator=draw))
    return [
        (torch.arange(6.0) + seed % 7, 3, 1),
        (long[5:30], 4, 2),
        (long[::3], 3, 2),
        (table[:, 1], 4, 3),
        (long[7:8].expand(10), 5, 2),
        (long[2:9], 7, 1),
        (long.double()[1:], 1, 1),
        (long.to(torch.bfloat16)[::2], 5, 5),
        (long > 0, 2, 9),
        (table.T[2, 1:], 3, 1),
        (long[3:20], 6, 12),
        (long[11:12], 1, 1),
        (long[4:6], 2, 1000),
        (pairs[1, ::2], 3, 2),
        (pairs.imag[:, 4], 1, 1),
        (pairs.real[1], 4, 3),
        (table.to(torch.uint8)[2:, 3], 2, 1),
        (table.short().view(3, 3, 4).permute(2, 0, 1)[1, 2], 2, 1),
        (torch.randn(3000, generator=draw, dtype=torch.float64)[1::2], 300, 7),
    ]


def values_and_memory(answer: Callable, x: torch.Tensor, size: int, step: int) -> dict:
    """Return the rows, and in words whether they lie in the storage of `x`."""
    rows = answer(x, size, step)
    whole, shared = x.untyped_storage(), False
    if isinstance(rows, torch.Tensor):  # NumPy makes a storage of its own that begins at the first element
        shared = 0 <= rows.data_ptr() - whole.data_ptr() < whole.nbytes()
    return {"rows": rows, "memory": "the storage of x" if shared else "a copy"}


windows = Question(
    "windows",
    inputs=strips,
    probe=values_and_memory,
)


def grouped_rows(seed: int) -> list[tuple]:
    """Return (values, groups, count).

    Each group, a group of none in the middle, in front and behind, one row, no row, infinities, other strides.
    """
    draw = torch.Generator().manual_seed(seed)

    def rows(number, features):
        return torch.randn(number, features, generator=draw)

    def of(number, choices):
        return torch.tensor(choices)[torch.randint(len(choices), (number,), generator=draw)]

    infinite = rows(6, 2)
    infinite[1, 0], infinite[4, 1] = float("inf"), -float("inf")
    opposite = rows(8, 5).double()
    opposite[::2] += 2**20  # what cancels in a group leaves nothing of float32's digits
    opposite[1::2] -= 2**20
    twice = rows(7, 3).double()
    twice[2, 0], twice[5, 0], twice[3, 2] = float("inf"), float("inf"), -float("inf")
    return [
        (rows(5, 2), torch.tensor([0, 2, 2, 1, 2]), 3),
        (rows(200, 4), of(200, [0, 1, 3, 4]), 5),
        (rows(30, 3), of(30, [1, 2]), 5),
        (rows(1, 3), torch.tensor([1]), 2),
        (rows(0, 3), torch.tensor([], dtype=torch.int64), 3),
        (infinite, torch.tensor([0, 1, 2, 2, 0, 1]), 3),
        (rows(4, 12).T, of(24, [0, 1, 2])[::2], 4),
        (opposite, torch.arange(8) // 2, 4),
        # Under 3000 numbers: from there on threads share `sums[groups] += …`, and which row arrives is chance.
        (rows(2900, 1), of(2900, [0, 1, 2]), 3),
        (rows(2500, 1) + 1, expanded(torch.tensor(0), 2500), 1),  # float16 counts to 2048
        (rows(40, 3), of(40, [0, 700, 1999]), 2000),
        (strided(twice), torch.tensor([3, 3, 1, 0, 3, 1, 3]), 5),
        (expanded(rows(1, 4)[0], 6), offset(torch.tensor([2, 0, 2, 2, 1, 0])), 4),
        (transposed(rows(4, 4)), torch.arange(4).flip(0), 4),
        (rows(0, 2).double(), torch.tensor([], dtype=torch.int64), 1),
    ]


group_means = Question(
    "group_means",
    inputs=grouped_rows,
    restrictions=(no_loop, settings_alone),
)


def samples_to_standardise(seed: int) -> list[tuple]:
    """Return samples (N, F), each with a level and spread.

    Not square, square, one, long, two features, far from 0, spreads from 1e-15 to 1e15, float64, by columns, every
    second one, a single number that differs, many rows, squares that need more digits than float32 has.
    """
    draw = torch.Generator().manual_seed(seed)
    shapes = ((3, 5), (4, 4), (1, 6), (2, 50), (7, 2), (40, 8))
    levels = {
        2: torch.tensor([0.0, 20.0]),
        8: 16,
    }  # two equal features would have no spread; far from 0 digits cancel
    cases = [
        (
            torch.randn(count, features, generator=draw) * (1 + torch.rand(count, 1, generator=draw))
            + 3 * torch.randn(count, 1, generator=draw)
            + levels.get(features, 0),
        )
        for count, features in shapes
    ]
    spreads = torch.tensor([1e-7, 3e-15, 1e-3, 1e-10, 1.0, 1e5, 1e-13, 2e14], dtype=torch.float64)
    tiny = torch.randn(8, 7, generator=draw, dtype=torch.float64) * spreads[:, None]
    wide = torch.randn(6, 14, generator=draw, dtype=torch.float64) + 20
    odd = torch.full((3, 5), 5.0)
    odd[0, 0], odd[1, 4], odd[2, 2] = 6.0, 4.0, -3.0
    digits = 64 + torch.randint(-1024, 1025, (40, 8), generator=draw) / 256  # mean and differences are exact
    others = [tiny.float(), tiny, wide, wide.T, wide[:, ::2], odd, digits, wide[2:3, :2], offset(tiny)]
    others += [torch.randn(260, 6, generator=draw) * 5, torch.randn(2, 300, generator=draw), strided(digits)]
    return [*cases, *((samples,) for samples in others)]


standardise = Question(
    "standardise",
    inputs=samples_to_standardise,
    restrictions=(settings_alone,),
)


def clouds(seed: int) -> list[tuple]:
    """Return queries (Q, D) and points (P, D).

    Few, as many, one each, no query, 1000 from 0 in float32, queries that are points, tables read by columns, one
    point, 600,000 pairs; two clouds at both ends, near neighbours far from 0 in float64, one axis, many axes.
    """
    draw = torch.Generator().manual_seed(seed)

    def cloud(number, size, dtype=torch.float64):
        return torch.randn(number, size, generator=draw, dtype=torch.float64).to(dtype)

    pairs = [(cloud(queries, size), cloud(points, size)) for queries, points, size in ((4, 6, 2), (5, 5, 3))]
    pairs += [(cloud(1, 2), cloud(1, 2)), (cloud(0, 2), cloud(3, 2))]
    far = cloud(60, 3, torch.float32) + 1000, cloud(200, 3, torch.float32) + 1000
    own = cloud(30, 3, torch.float32)
    across, alone, many = (
        (cloud(3, 8).T, cloud(3, 40).T),
        (cloud(7, 1), cloud(1, 1)),
        (cloud(600, 4), cloud(1000, 4)),
    )
    ends = torch.tensor([[1990.0, -1990.0, 0.0], [-1990.0, 0.0, 1990.0]])

    def at_both_ends(number, dtype, spread):
        return (ends.repeat(number, 1) + cloud(2 * number, 3) * spread).to(dtype)

    apart = at_both_ends(20, torch.float32, 1), at_both_ends(40, torch.float32, 1)
    fine = at_both_ends(6, torch.float64, 1e-6), at_both_ends(30, torch.float64, 1e-6)
    close = cloud(10, 2) * 1e-6 + 1500, cloud(12, 2) * 1e-6 + 1500
    small = cloud(9, 3, torch.float32) * 1e-7, cloud(50, 3, torch.float32) * 1e-7
    axis = cloud(1500, 1, torch.float32), torch.arange(-4.0, 4.0)[:, None]
    axes = cloud(20, 60, torch.float32), cloud(30, 60, torch.float32)
    pairs += [far, (own[::3].clone(), own), across, alone, many]
    pairs += [apart, fine, close, small, axis, axes, (own, own), (strided(own[:4]), offset(own[4:]))]
    pairs += [(expanded(own[3] + 1, 5), transposed(own)), (own[:0], own.flip(0))]
    return [
        (queries[_clear(queries, points)] if len(queries) > 8 else queries, points) for queries, points in pairs
    ]


def _clear(queries, points):
    """Say for which queries the nearest point is so by more than what is rounded."""
    first = torch.cdist(queries.double(), points.double(), compute_mode="donot_use_mm_for_euclid_dist")
    first = first.topk(min(2, len(points)), largest=False).values
    return (first[:, -1] - first[:, 0] > 1e-4 * first[:, 0]) | (len(points) == 1)


nearest = Question(
    "nearest",
    inputs=clouds,
    restrictions=(no_loop, settings_alone),
)
