"""Questions of chapter 01: there and back, windows as a view, means of groups, rows made alike, neighbours."""

from collections.abc import Callable

import torch

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.restrictions import no_call, no_loop
from lessonkit.checks.variants import expanded, offset, strided, transposed

settings_alone = no_call(
    "set_default_dtype",
    "set_default_device",
    "set_num_threads",
    "use_deterministic_algorithms",
    "set_deterministic_debug_mode",
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


def survives(values, dtype):
    """There and back; what comes back in the old dtype is the same number or it is not."""
    return values.to(dtype).to(values.dtype) == values


def within_range(values, dtype):
    """You looked at the range only. Between its ends a dtype has a grid, and most numbers fall beside it."""
    return (values.abs() <= torch.finfo(dtype).max) | values.double().isinf()


def nearly_the_same(values, dtype):
    """Nearly is not the same: `isclose` and `allclose` forgive what the grid has moved. Ask with `==`."""
    return torch.isclose(values.to(dtype).to(values.dtype), values)


def compared_across(values, dtype):
    """In `==` two dtypes meet and are promoted: beside a float your whole numbers become floats too, and both sides
    are rounded alike. Bring the traveller back to the old dtype first, then compare."""
    return values.to(dtype) == values


def compared_as_float64(values, dtype):
    """float64 has a grid as well: beyond 2⁵³ it rounds whole numbers, and on both sides of the `==` alike. Compare
    in the dtype of `values`."""
    return values.to(dtype).double() == values.double()


def those_that_are_lost(values, dtype):
    """The other way round: you marked the numbers that were changed."""
    return values.to(dtype).to(values.dtype) != values


def one_for_all_values(values, dtype):
    """One bool for the whole tensor. Asked for is one for each number, in the shape of `values`."""
    return torch.equal(values.to(dtype).to(values.dtype), values)


survives = Exercise(
    survives,
    inputs=trips,
    restrictions=(settings_alone,),
    mistakes=(
        within_range,
        nearly_the_same,
        compared_across,
        compared_as_float64,
        those_that_are_lost,
        one_for_all_values,
    ),
    hints=(
        "`values.to(dtype)` makes the trip there. What brings the numbers back?",
        "`.to(values.dtype)`. Compare in the old dtype, where nothing is rounded any more.",
        "`==` between two tensors of one shape gives the bools.",
    ),
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


def windows(x, size, step):
    """One step along a window is a step of `x`; the next window starts `step` of them further on."""
    count = (len(x) - size) // step + 1
    return x.as_strided((count, size), (step * x.stride(0), x.stride(0)))


def copied(x, size, step):
    """The numbers are right, but they are a copy. Asked for is a view: the storage of `x`, in other strides."""
    return torch.stack([x[start : start + size] for start in range(0, len(x) - size + 1, step)])


def strides_of_a_fresh_strip(x, size, step):
    """You took the elements of `x` to lie side by side: strides of (step, 1). Every third element, or a column, has
    a stride of its own: ask `x.stride(0)`."""
    return x.as_strided(((len(x) - size) // step + 1, size), (step, 1))


def from_the_very_start(x, size, step):
    """You began at offset 0 of the storage. `x` may start later: its offset is `x.storage_offset()`, and
    `as_strided` takes that if you give none."""
    return x.as_strided(((len(x) - size) // step + 1, size), (step * x.stride(0), x.stride(0)), 0)


def one_window_short(x, size, step):
    """The last window is missing: between the first start and the last lie L − size elements, and both starts
    count."""
    return x.as_strided(((len(x) - size) // step, size), (step * x.stride(0), x.stride(0)))


def always_one_further(x, size, step):
    """Your windows start at every element; asked for is every `step`-th."""
    return x.as_strided((len(x) - size + 1, size), (x.stride(0), x.stride(0)))


def side_by_side(x, size, step):
    """Your windows lie side by side, `size` apart. They start `step` apart, and may overlap or leave gaps."""
    return x.as_strided(((len(x) - size) // step + 1, size), (size * x.stride(0), x.stride(0)))


windows = Exercise(
    windows,
    inputs=strips,
    probe=values_and_memory,
    mistakes=(
        copied,
        strides_of_a_fresh_strip,
        from_the_very_start,
        one_window_short,
        always_one_further,
        side_by_side,
    ),
    hints=(
        "Two sizes and two strides: how far along the storage is the next element, and how far the next window?",
        "The next element is `x.stride(0)` on, whatever `x` was cut from; the next window `step` times that.",
        "How many starts 0, step, 2·step, … leave room for `size` elements? `(len(x) - size) // step + 1`.",
    ),
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


def group_means(values, groups, count):
    """Add each row to its group's; divide by how many came, or by 1 where none did."""
    sums = values.new_zeros(count, values.shape[1]).index_add_(0, groups, values)
    members = groups.bincount(minlength=count)
    return sums / members.clamp(min=1)[:, None]


def each_group_once(values, groups, count):
    """`sums[groups] += values` reads all, adds, and writes all: of the rows of one group only one arrives. Where an
    index comes twice, `index_add_` or `scatter_add_` adds both."""
    sums = values.new_zeros(count, values.shape[1])
    sums[groups] += values
    return sums / groups.bincount(minlength=count).clamp(min=1)[:, None]


def nan_for_nobody(values, groups, count):
    """A group without rows came out as `nan`: 0 divided by 0. Asked for is 0."""
    sums = values.new_zeros(count, values.shape[1]).index_add_(0, groups, values)
    return sums / groups.bincount(minlength=count)[:, None]


def sums_only(values, groups, count):
    """These are the sums. Divide each by the number of rows in its group."""
    return values.new_zeros(count, values.shape[1]).index_add_(0, groups, values)


def divided_by_all(values, groups, count):
    """You divided by the number of all rows. Each group has its own: `bincount` counts them."""
    return values.new_zeros(count, values.shape[1]).index_add_(0, groups, values) / max(len(values), 1)


def zeros_counted_in(values, groups, count):
    """Each mean is taken over one row too many, as if the zeros that stood there were a row (`scatter_reduce` and
    `index_reduce` count them, unless you say `include_self=False`)."""
    sums = values.new_zeros(count, values.shape[1]).index_add_(0, groups, values)
    return sums / (groups.bincount(minlength=count) + 1)[:, None]


def infinity_times_zero(values, groups, count):
    """Where one group holds an infinity, others came out as `nan`: a product with a one-hot table multiplies it by
    0, and ∞ · 0 is `nan`. Add rows only where they belong."""
    member = (groups[:, None] == torch.arange(count)).to(values.dtype)
    return member.T @ values / member.sum(dim=0).clamp(min=1)[:, None]


group_means = Exercise(
    group_means,
    inputs=grouped_rows,
    restrictions=(no_loop, settings_alone),
    mistakes=(
        each_group_once,
        nan_for_nobody,
        sums_only,
        divided_by_all,
        zeros_counted_in,
        infinity_times_zero,
    ),
    hints=(
        "Sums first: zeros of shape (count, F), and `index_add_(0, groups, values)` adds each row to its group's.",
        "`groups.bincount(minlength=count)` is the number of rows of each group, those of nobody included.",
        "The counts must divide along the rows: make a column of them. And what should 0 be divided by?",
    ),
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


def standardise(samples):
    """Mean and spread of each row, kept as a column (N, 1), so that they broadcast along the row."""
    mean = samples.mean(dim=1, keepdim=True)
    return (samples - mean) / samples.std(dim=1, keepdim=True)


def without_keepdim(samples):
    """Without `keepdim` the means have shape (N,), and broadcasting lines them up with the *last* axis: an error
    where N differs from F, and wrong numbers without an error where they are equal."""
    return (samples - samples.mean(dim=1)) / samples.std(dim=1)


def by_column(samples):
    """`dim` off by one: `dim=0` is the axis that disappears, so you averaged over the samples, column by column.
    Each row has its own mean: `dim=1`."""
    return (samples - samples.mean(dim=0)) / samples.std(dim=0)


def by_the_whole(samples):
    """One mean and one spread for the whole table. Each row has its own: give `mean` and `std` a `dim`."""
    return (samples - samples.mean()) / samples.std()


def centred_only(samples):
    """The mean of each row is 0 now, the spread is what it was. Divide by the standard deviation too."""
    return samples - samples.mean(dim=1, keepdim=True)


def by_the_variance(samples):
    """You divided by the variance, the *square* of the standard deviation: `std`, not `var`."""
    return (samples - samples.mean(dim=1, keepdim=True)) / samples.var(dim=1, keepdim=True)


def divided_by_count(samples):
    """Your standard deviation divides by F, PyTorch's default by F − 1 (`correction=1`), as asked here."""
    mean = samples.mean(dim=1, keepdim=True)
    return (samples - mean) / samples.std(dim=1, keepdim=True, correction=0)


standardise = Exercise(
    standardise,
    inputs=samples_to_standardise,
    restrictions=(settings_alone,),
    mistakes=(without_keepdim, by_column, by_the_whole, centred_only, by_the_variance, divided_by_count),
    hints=(
        "Which axis should disappear when you average one sample? That is `dim`.",
        "`samples.mean(dim=1)` has shape (N,). Lined up from the right it meets F, not N.",
        "`keepdim=True` leaves the axis there with size 1: (N, 1) broadcasts along the row.",
    ),
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


def nearest(queries, points):
    """All differences by broadcasting, (Q, P, D); the square root is left out, it keeps the order."""
    differences = queries[:, None] - points[None]
    return differences.pow(2).sum(dim=2).argmin(dim=1)


def for_each_point(queries, points):
    """`dim` off by one: you found the nearest query of each point. The axis to disappear is the points', dim 1."""
    return (queries[:, None] - points[None]).pow(2).sum(dim=2).argmin(dim=0)


def the_farthest(queries, points):
    """You found the farthest point: `argmax`. Asked for is the nearest."""
    return (queries[:, None] - points[None]).pow(2).sum(dim=2).argmax(dim=1)


def one_for_all(queries, points):
    """`argmin()` without a dim counts through the whole table of distances: one number for all queries."""
    return (queries[:, None] - points[None]).pow(2).sum(dim=2).argmin()


def the_distance_itself(queries, points):
    """You returned the smallest distances. Asked for is *which* point has it: `argmin`, or `min(...).indices`."""
    return (queries[:, None] - points[None]).pow(2).sum(dim=2).sqrt().min(dim=1).values


def signs_cancel(queries, points):
    """You added the differences with their signs, and they cancel: a point far up and far left looks near. Square
    them first."""
    return (queries[:, None] - points[None]).sum(dim=2).argmin(dim=1)


def coordinates_not_added(queries, points):
    """You compared each coordinate by itself, shape (Q, D). A distance adds all coordinates' squares first."""
    return (queries[:, None] - points[None]).pow(2).argmin(dim=1)


def sum_of_sizes(queries, points):
    """You added absolute differences, the way along the streets of a grid. The straight line takes squares."""
    return (queries[:, None] - points[None]).abs().sum(dim=2).argmin(dim=1)


def digits_cancelled(queries, points):
    """Near 0 this is right; far from 0 it finds wrong neighbours, because q² − 2qp + p² has lost the digits by
    which near points differ. (`torch.cdist` computes so by default, from 26 points on.) Subtract, then square."""
    return torch.cdist(queries, points, compute_mode="use_mm_for_euclid_dist_if_necessary").argmin(dim=1)


nearest = Exercise(
    nearest,
    inputs=clouds,
    restrictions=(no_loop, settings_alone),
    mistakes=(
        for_each_point,
        the_farthest,
        one_for_all,
        the_distance_itself,
        signs_cancel,
        coordinates_not_added,
        sum_of_sizes,
        digits_cancelled,
    ),
    hints=(
        "Make one axis for the queries and one for the points: (Q, 1, D) against (1, P, D).",
        "Their difference has shape (Q, P, D). Square it and sum over the coordinates: (Q, P).",
        "`argmin(dim=1)` makes the points' axis disappear: one index for each query.",
    ),
)
