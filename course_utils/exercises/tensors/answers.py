"""Our answers to the questions of chapter 01: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import torch

from lessonkit.checks.answer import Answer


def bytes_of(x):
    """Return the number of elements times the number of bytes of one element."""
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
    """You took 4 bytes for each element, which is right for float32 and int32 only. `x.dtype.itemsize` gives the
    number of bytes for every dtype."""
    return x.numel() * 4


def in_bits(x):
    """That is the number of bits, eight times as many as the bytes. `itemsize` already counts bytes."""
    return x.numel() * x.dtype.itemsize * 8


def first_axis_only(x):
    """You counted the rows only: `len(x)` and `x.shape[0]` are the size of the first axis. `x.numel()` counts
    the elements of all axes."""
    return (x.shape[0] if x.dim() else 1) * x.dtype.itemsize


def sizes_added(x):
    """You added the sizes of the axes. The number of elements is their product, which `x.numel()` gives."""
    return sum(x.shape) * x.dtype.itemsize


def memory_behind_it(x):
    """That is the size of the storage behind the tensor. If `x` is a view of a larger tensor, or an expanded
    one, the storage has another number of bytes than the elements of `x`. Count the elements of `x`."""
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
    """Convert to `dtype` and back, and then compare with the original in the old dtype."""
    return values.to(dtype).to(values.dtype) == values


def within_range(values, dtype):
    """You compared with the range only. Inside its range a dtype represents only some numbers exactly, and it
    rounds all others."""
    return (values.abs() <= torch.finfo(dtype).max) | values.double().isinf()


def nearly_the_same(values, dtype):
    """`isclose` and `allclose` tolerate a difference, so they also accept numbers that the conversion has
    rounded. Use `==`."""
    return torch.isclose(values.to(dtype).to(values.dtype), values)


def compared_across(values, dtype):
    """`==` between two dtypes first promotes both sides to one dtype. If one side is a float, your whole numbers
    become floats too and are rounded in the same way, so a difference disappears. Convert the values back to the
    old dtype first, and then compare."""
    return values.to(dtype) == values


def compared_as_float64(values, dtype):
    """float64 rounds too: beyond 2⁵³ it cannot represent every whole number, and it rounds both sides of the
    `==` in the same way. Compare in the dtype of `values`."""
    return values.to(dtype).double() == values.double()


def those_that_are_lost(values, dtype):
    """Your answer is inverted: it marks the numbers that were changed. Mark those that come back unchanged."""
    return values.to(dtype).to(values.dtype) != values


def one_for_all_values(values, dtype):
    """You returned one bool for the whole tensor. Return one bool for each element, in the shape of `values`."""
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
        "`values.to(dtype)` converts the numbers. What converts them back?",
        "`.to(values.dtype)` converts them back. Compare in the old dtype, where nothing is rounded again.",
        "`==` between two tensors of the same shape gives the bools.",
    ),
)


def windows(x, size, step):
    """The next element of a window is one stride of `x` away, and the next window starts `step` strides away."""
    count = (len(x) - size) // step + 1
    return x.as_strided((count, size), (step * x.stride(0), x.stride(0)))


def copied(x, size, step):
    """The values are right, but they are a copy. Return a view: the storage of `x` with other strides."""
    return torch.stack([x[start : start + size] for start in range(0, len(x) - size + 1, step)])


def strides_of_a_fresh_strip(x, size, step):
    """You used the strides (step, 1), which are right only if the elements of `x` are next to each other in
    memory. If `x` is a column or every third element of a tensor, its stride is larger. Use `x.stride(0)`."""
    return x.as_strided(((len(x) - size) // step + 1, size), (step, 1))


def from_the_very_start(x, size, step):
    """Your windows begin at offset 0 of the storage, but `x` may begin later, at `x.storage_offset()`.
    `as_strided` uses that offset if you pass none."""
    return x.as_strided(((len(x) - size) // step + 1, size), (step * x.stride(0), x.stride(0)), 0)


def one_window_short(x, size, step):
    """The last window is missing. The starts go from 0 to `len(x) - size`, and both of these count."""
    return x.as_strided(((len(x) - size) // step, size), (step * x.stride(0), x.stride(0)))


def always_one_further(x, size, step):
    """Your windows start at every element. They must start at every `step`-th element."""
    return x.as_strided((len(x) - size + 1, size), (x.stride(0), x.stride(0)))


def side_by_side(x, size, step):
    """Your windows start `size` elements apart, so that each begins where the one before it ends. They must
    start `step` elements apart, so they may overlap or leave gaps."""
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
        "You need two sizes and two strides. How far away in the storage is the next element, and how far away "
        "is the next window?",
        "The next element is `x.stride(0)` away, even if `x` is a view. The next window is `step` times as far.",
        "How many of the starts 0, step, 2·step, … leave room for `size` elements? The number is `(len(x) - "
        "size) // step + 1`.",
    ),
)


def group_means(values, groups, count):
    """Add each row to the sum of its group, and divide by the number of its rows, or by 1 if it has none."""
    sums = values.new_zeros(count, values.shape[1]).index_add_(0, groups, values)
    members = groups.bincount(minlength=count)
    return sums / members.clamp(min=1)[:, None]


def each_group_once(values, groups, count):
    """If an index occurs twice, `sums[groups] += values` keeps only one of the two rows, because it reads all
    sums first, then adds, and then writes. `index_add_` and `scatter_add_` add both rows."""
    sums = values.new_zeros(count, values.shape[1])
    sums[groups] += values
    return sums / groups.bincount(minlength=count).clamp(min=1)[:, None]


def nan_for_nobody(values, groups, count):
    """The mean of a group without rows is `nan` here, because 0 divided by 0 is `nan`. It must be 0."""
    sums = values.new_zeros(count, values.shape[1]).index_add_(0, groups, values)
    return sums / groups.bincount(minlength=count)[:, None]


def sums_only(values, groups, count):
    """These are the sums. Divide each by the number of rows in its group."""
    return values.new_zeros(count, values.shape[1]).index_add_(0, groups, values)


def divided_by_all(values, groups, count):
    """You divided by the number of all rows. Divide each group by its own number of rows, which `bincount`
    counts."""
    return values.new_zeros(count, values.shape[1]).index_add_(0, groups, values) / max(len(values), 1)


def zeros_counted_in(values, groups, count):
    """Each mean counts one row too many, as if the initial zeros were a row of the group. (`scatter_reduce` and
    `index_reduce` count them unless you pass `include_self=False`.)"""
    sums = values.new_zeros(count, values.shape[1]).index_add_(0, groups, values)
    return sums / (groups.bincount(minlength=count) + 1)[:, None]


def infinity_times_zero(values, groups, count):
    """If one group contains an infinity, other groups become `nan`: a product with a one-hot matrix multiplies
    the infinity by 0, and ∞ · 0 is `nan`. Add each row to its own group only."""
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
        "Compute the sums first: begin with zeros of the shape (count, F), and let `index_add_(0, groups, "
        "values)` add each row to the sum of its group.",
        "`groups.bincount(minlength=count)` is the number of rows of each group. It is 0 for a group without rows.",
        "Turn the counts into a column, so that each one divides its own row. And by what should you divide a "
        "sum of no rows?",
    ),
)


def standardise(samples):
    """Mean and standard deviation of each row keep the shape (N, 1), so that they broadcast along the row."""
    mean = samples.mean(dim=1, keepdim=True)
    return (samples - mean) / samples.std(dim=1, keepdim=True)


def without_keepdim(samples):
    """Without `keepdim` the means have the shape (N,), and broadcasting aligns them with the *last* axis. If N
    differs from F this raises an error; if N equals F the numbers are wrong and no error is raised."""
    return (samples - samples.mean(dim=1)) / samples.std(dim=1)


def by_column(samples):
    """You used `dim=0`, which averages over the samples and gives one mean per column. Use `dim=1`, which gives
    one mean per row."""
    return (samples - samples.mean(dim=0)) / samples.std(dim=0)


def by_the_whole(samples):
    """You used one mean and one standard deviation for the whole tensor. Each row needs its own, so pass a `dim`
    to `mean` and `std`."""
    return (samples - samples.mean()) / samples.std()


def centred_only(samples):
    """The mean of each row is now 0, but its standard deviation is unchanged. Divide by the standard deviation
    too."""
    return samples - samples.mean(dim=1, keepdim=True)


def by_the_variance(samples):
    """You divided by the variance, which is the *square* of the standard deviation. Use `std` instead of `var`."""
    return (samples - samples.mean(dim=1, keepdim=True)) / samples.var(dim=1, keepdim=True)


def divided_by_count(samples):
    """Your standard deviation divides by F. The task asks for PyTorch's default, which divides by F − 1
    (`correction=1`)."""
    mean = samples.mean(dim=1, keepdim=True)
    return (samples - mean) / samples.std(dim=1, keepdim=True, correction=0)


standardise = Answer(
    standardise,
    mistakes=(without_keepdim, by_column, by_the_whole, centred_only, by_the_variance, divided_by_count),
    hints=(
        "You average each sample over its features. Which `dim` is that?",
        "`samples.mean(dim=1)` has the shape (N,). Broadcasting aligns it from the right, so it meets F and not N.",
        "`keepdim=True` keeps the reduced axis with size 1, and the shape (N, 1) broadcasts along the row.",
    ),
)


def nearest(queries, points):
    """Broadcasting gives all differences (Q, P, D). The square root is not needed, because it does not change
    which point is nearest."""
    differences = queries[:, None] - points[None]
    return differences.pow(2).sum(dim=2).argmin(dim=1)


def for_each_point(queries, points):
    """You reduced over the wrong axis and found the nearest query of each point. Reduce over dim 1, the axis of
    the points."""
    return (queries[:, None] - points[None]).pow(2).sum(dim=2).argmin(dim=0)


def the_farthest(queries, points):
    """You found the farthest point with `argmax`. The task asks for the nearest."""
    return (queries[:, None] - points[None]).pow(2).sum(dim=2).argmax(dim=1)


def one_for_all(queries, points):
    """`argmin()` without a `dim` searches the whole (Q, P) matrix and returns one index for all queries. Pass
    `dim=1`."""
    return (queries[:, None] - points[None]).pow(2).sum(dim=2).argmin()


def the_distance_itself(queries, points):
    """You returned the smallest distances. The task asks for the index of the nearest point, which `argmin` or
    `min(...).indices` gives."""
    return (queries[:, None] - points[None]).pow(2).sum(dim=2).sqrt().min(dim=1).values


def signs_cancel(queries, points):
    """You added the differences with their signs, so positive and negative ones cancel, and a distant point can
    look near. Square the differences first."""
    return (queries[:, None] - points[None]).sum(dim=2).argmin(dim=1)


def coordinates_not_added(queries, points):
    """You took the minimum of each coordinate separately, so your result has the shape (Q, D). Sum the squares
    over the coordinates first."""
    return (queries[:, None] - points[None]).pow(2).argmin(dim=1)


def sum_of_sizes(queries, points):
    """You added absolute differences, which is the Manhattan distance. The task asks for the Euclidean distance,
    so square the differences."""
    return (queries[:, None] - points[None]).abs().sum(dim=2).argmin(dim=1)


def digits_cancelled(queries, points):
    """This is right near 0, but far from 0 it finds wrong neighbours: q² − 2qp + p² subtracts large numbers and
    loses the digits by which near points differ. (`torch.cdist` computes the distances like this by default,
    from 26 points on.) Subtract first, and then square."""
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
        "Make one axis for the queries and one for the points: (Q, 1, D) and (1, P, D) broadcast.",
        "Their difference has the shape (Q, P, D). Square it and sum over the coordinates, which gives (Q, P).",
        "`argmin(dim=1)` reduces over the points, so it gives one index for each query.",
    ),
)
