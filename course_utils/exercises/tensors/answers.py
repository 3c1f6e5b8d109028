"""Our answers to the questions of chapter 01: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import torch

from lessonkit.checks.answer import Answer


def bytes_of(x):
    """The number of elements times the bytes of one."""
    return x.numel() * x.dtype.itemsize


def elements_only(x):
    """That is the number of elements. Each takes `x.dtype.itemsize` bytes."""
    return x.numel()


def bytes_of_one(x):
    """That is the number of bytes of one element. Multiply it by the number of elements, `x.numel()`."""
    return x.element_size()


def length_only(x):
    """`len(x)` is the size of the first dimension only, and a tensor of shape `()` has no length. `x.numel()`
    counts the elements of all dimensions."""
    return len(x) * x.dtype.itemsize


def four_for_each(x):
    """You took 4 bytes for each element. That is so for float32 and int32; `x.dtype.itemsize` knows every dtype."""
    return x.numel() * 4


def in_bits(x):
    """That is the number of bits, eight times as much. `itemsize` counts bytes already."""
    return x.numel() * x.dtype.itemsize * 8


def first_axis_only(x):
    """You counted the rows only: `len(x)` and `x.shape[0]` are the size of the first axis. `x.numel()` counts the
    elements of all axes."""
    return (x.shape[0] if x.dim() else 1) * x.dtype.itemsize


def sizes_added(x):
    """You added the sizes of the axes. The number of elements is their product, which `x.numel()` gives."""
    return sum(x.shape) * x.dtype.itemsize


def memory_behind_it(x):
    """That is the memory behind the tensor. Where `x` is a part of a larger tensor, or one number repeated, that is
    another number of bytes. Count the elements of `x`."""
    return x.untyped_storage().nbytes()


bytes_of = Answer(
    bytes_of,
    mistakes=(
        elements_only,
        bytes_of_one,
        length_only,
        four_for_each,
        in_bits,
        first_axis_only,
        sizes_added,
        memory_behind_it,
    ),
    hints=(
        "How many elements are there, and how many bytes does one take?",
        "`x.numel()` is the number of elements, in all axes together.",
        "The first column of numbers in the table above is `dtype.itemsize`, and `x.dtype` is the dtype of `x`.",
    ),
)


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
    """You returned one bool for the whole tensor. Return one bool per element, in the shape of `values`."""
    return torch.equal(values.to(dtype).to(values.dtype), values)


survives = Answer(
    survives,
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


def windows(x, size, step):
    """One step along a window is a step of `x`; the next window starts `step` of them further on."""
    count = (len(x) - size) // step + 1
    return x.as_strided((count, size), (step * x.stride(0), x.stride(0)))


def copied(x, size, step):
    """The values are right, but they are a copy. Return a view: the storage of `x` with other strides."""
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
    """Your windows start at every element. They must start at every `step`-th element."""
    return x.as_strided((len(x) - size + 1, size), (x.stride(0), x.stride(0)))


def side_by_side(x, size, step):
    """Your windows lie side by side, `size` apart. They start `step` apart, and may overlap or leave gaps."""
    return x.as_strided(((len(x) - size) // step + 1, size), (size * x.stride(0), x.stride(0)))


windows = Answer(
    windows,
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
    """A group without rows came out as `nan`, because 0 divided by 0 is `nan`. The task asks for 0 there."""
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


group_means = Answer(
    group_means,
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


def standardise(samples):
    """Mean and spread of each row, kept as a column (N, 1), so that they broadcast along the row."""
    mean = samples.mean(dim=1, keepdim=True)
    return (samples - mean) / samples.std(dim=1, keepdim=True)


def without_keepdim(samples):
    """Without `keepdim` the means have shape (N,), and broadcasting lines them up with the *last* axis: an error
    where N differs from F, and wrong numbers without an error where they are equal."""
    return (samples - samples.mean(dim=1)) / samples.std(dim=1)


def by_column(samples):
    """`dim` is off by one: `dim=0` disappears, so you averaged over the samples, column by column.
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


standardise = Answer(
    standardise,
    mistakes=(without_keepdim, by_column, by_the_whole, centred_only, by_the_variance, divided_by_count),
    hints=(
        "Which axis should disappear when you average one sample? That is `dim`.",
        "`samples.mean(dim=1)` has shape (N,). Lined up from the right it meets F, not N.",
        "`keepdim=True` leaves the axis there with size 1: (N, 1) broadcasts along the row.",
    ),
)


def nearest(queries, points):
    """All differences by broadcasting, (Q, P, D); the square root is left out, it keeps the order."""
    differences = queries[:, None] - points[None]
    return differences.pow(2).sum(dim=2).argmin(dim=1)


def for_each_point(queries, points):
    """`dim` off by one: you found the nearest query of each point. The axis to disappear is the points', dim 1."""
    return (queries[:, None] - points[None]).pow(2).sum(dim=2).argmin(dim=0)


def the_farthest(queries, points):
    """You found the farthest point with `argmax`. The task asks for the nearest."""
    return (queries[:, None] - points[None]).pow(2).sum(dim=2).argmax(dim=1)


def one_for_all(queries, points):
    """`argmin()` without a dim counts through the whole table of distances: one number for all queries."""
    return (queries[:, None] - points[None]).pow(2).sum(dim=2).argmin()


def the_distance_itself(queries, points):
    """You returned the smallest distances. The task asks *which* point has it: `argmin`, or `min(...).indices`."""
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


nearest = Answer(
    nearest,
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
