"""Questions of chapter 01: shuffle alike, channels first, the right class's score, rows made alike, neighbours."""

from collections.abc import Callable

import torch

from course_utils.checks.exercise import Exercise


def labelled_rows(seed: int) -> list[tuple]:
    """Return rows and their labels: several, many, square, a single feature, one row only."""
    draw = torch.Generator().manual_seed(seed)
    shapes = ((12, 3), (200, 4), (16, 16), (30, 1), (1, 5))
    return [(torch.randn(shape, generator=draw), torch.arange(shape[0])) for shape in shapes]


def what_became_of_the_pairs(answer: Callable, rows: torch.Tensor, labels: torch.Tensor) -> dict:
    """Ask what every right answer answers alike, whatever order it drew."""
    given = rows.clone(), labels.clone()
    new_rows, new_labels = answer(*given)
    again = answer(rows.clone(), labels.clone())[1]
    kinds = [(tuple(tensor.shape), tensor.dtype) for tensor in (new_rows, new_labels)]
    fits = kinds == [(tuple(tensor.shape), tensor.dtype) for tensor in (rows, labels)]
    many = fits and len(rows) >= 16  # of so many, half stay beside their neighbour once in 100,000 random orders
    return {
        "shapes and dtypes": kinds,
        "every label once": fits and sorted(new_labels.tolist()) == labels.tolist(),
        "each row beside its label": fits and torch.equal(new_rows, rows[new_labels]),
        "a new order": fits and (not torch.equal(new_labels, labels) or len(rows) == 1),
        "another order at the next call": len(rows) == 1 or not torch.equal(new_labels, again),
        "long stretches as they were": many and int((new_labels.diff().abs() == 1).sum()) > len(rows) // 2,
        "most rows where they were": many and int((new_labels == labels).sum()) > len(rows) // 2,
        "what was given is as it was": torch.equal(given[0], rows) and torch.equal(given[1], labels),
        "rows as they were inside": torch.equal(new_rows.sum(1).sort().values, rows.sum(1).sort().values),
    }


def shuffle_alike(rows, labels):
    """One order, drawn once, for both."""
    order = torch.randperm(len(rows))
    return rows[order], labels[order]


def two_orders(rows, labels):
    """You drew two orders, one for each tensor: the labels no longer fit their rows. Draw one, use it twice."""
    return rows[torch.randperm(len(rows))], labels[torch.randperm(len(labels))]


def rows_only(rows, labels):
    """You shuffled the rows and left the labels where they were: they no longer belong together."""
    return rows[torch.randperm(len(rows))], labels


def drawn_with_replacement(rows, labels):
    """`randint` draws with replacement: some rows come twice, others are lost. `randperm` gives each index once."""
    order = torch.randint(len(rows), (len(rows),))
    return rows[order], labels[order]


def not_shuffled(rows, labels):
    """Pairs are kept, but they stand in the order in which they came: nothing was shuffled."""
    return rows.clone(), labels.clone()


def columns_too(rows, labels):
    """You shuffled within the rows: their numbers stand in other columns now. Index along dim 0 only."""
    order, columns = torch.randperm(len(rows)), torch.randperm(rows.shape[1])
    return rows[order][:, columns], labels[order]


shuffle_alike = Exercise(
    shuffle_alike,
    inputs=labelled_rows,
    probe=what_became_of_the_pairs,
    mistakes=(two_orders, rows_only, drawn_with_replacement, not_shuffled, columns_too),
    hints=(
        "`torch.randperm(n)` gives each of 0 … n − 1 once, in a random order.",
        "`rows[order]` takes the rows in that order. What happens if you draw a second order for the labels?",
        "Draw `order` once, then return `rows[order], labels[order]`.",
    ),
)


def batches_of_pictures(seed: int) -> list[tuple]:
    """Return batches (N, H, W, C).

    Several, one, none, a single channel, square ones, all of bytes; one of fractions.
    """
    draw = torch.Generator().manual_seed(seed)
    shapes = ((2, 3, 4, 3), (1, 8, 6, 3), (0, 5, 4, 3), (3, 4, 5, 1), (3, 3, 3, 3))
    bytes_ = [(torch.randint(0, 256, shape, generator=draw, dtype=torch.uint8),) for shape in shapes]
    return [*bytes_, (torch.rand(2, 5, 4, 3, generator=draw),)]


def values_and_order_in_memory(answer: Callable, images: torch.Tensor) -> dict:
    """Return the result, and whether it lies in memory in the order in which it is read."""
    planes = answer(images)
    return {"values": planes, "contiguous": planes.is_contiguous()}


def channels_first(images):
    """The axes in a new order, then the bytes in that order too."""
    return images.permute(0, 3, 1, 2).contiguous()


def reshaped(images):
    """The shape is right, the picture is torn: `reshape` keeps the order of the numbers in memory and cuts it
    elsewhere. To move an axis takes `permute`."""
    count, height, width, channels = images.shape
    return images.reshape(count, channels, height, width)


def left_as_a_view(images):
    """The values are right, but the bytes still lie in the old order: `permute` only writes new strides. A copy in
    the new order is what `contiguous()` makes."""
    return images.permute(0, 3, 1, 2)


def height_and_width_swapped(images):
    """The channels are in front, but height and width changed places: every picture lies on its side. (A
    `transpose(1, 3)` does that too: it swaps two axes, and you want three to move.)"""
    return images.permute(0, 3, 2, 1).contiguous()


def without_the_batch(images):
    """You named three axes, the tensor has four: count the batch, it is dim 0 and stays there."""
    return images.permute(2, 0, 1)


def channels_before_the_batch(images):
    """The channels went in front of the batch. The shape asked for is (N, C, H, W): N stays first."""
    return images.permute(3, 0, 1, 2).contiguous()


channels_first = Exercise(
    channels_first,
    inputs=batches_of_pictures,
    probe=values_and_order_in_memory,
    mistakes=(
        reshaped,
        left_as_a_view,
        height_and_width_swapped,
        without_the_batch,
        channels_before_the_batch,
    ),
    hints=(
        "Write the four axes down with their numbers: N 0, H 1, W 2, C 3. In which order do you want them?",
        "`permute` takes the old numbers in the new order: N first, then C, so it begins `permute(0, 3, …)`.",
        "What `permute` returns is a view; `.contiguous()` copies the bytes into its order.",
    ),
)


def scores_and_classes(seed: int) -> list[tuple]:
    """Return scores (N, C) and one class for each row: several, square, many, one, none, a single class."""
    draw = torch.Generator().manual_seed(seed)
    shapes = ((4, 3), (5, 5), (100, 10), (1, 7), (0, 4), (3, 1))
    return [
        (torch.randn(shape, generator=draw), torch.randint(shape[1], shape[:1], generator=draw)) for shape in shapes
    ]


def picked(scores, classes):
    """One element of each row: `gather` along dim 1, with an index of one column."""
    return scores.gather(1, classes.unsqueeze(1)).squeeze(1)


def whole_columns(scores, classes):
    """`scores[:, classes]` takes whole columns, one for each class in the list: (N, N). You want one element of
    each row."""
    return scores[:, classes]


def still_a_column(scores, classes):
    """The elements are right, the shape is (N, 1): `gather` returns the shape of its index. Squeeze dim 1."""
    return scores.gather(1, classes[:, None])


def along_the_batch(scores, classes):
    """You gathered along dim 0: there the index numbers rows. A class numbers columns: dim 1."""
    return scores.gather(0, classes[None]).squeeze(0)


def the_largest(scores, classes):
    """You took the largest score of each row. Asked for is the score of the class given, large or not."""
    return scores.max(dim=1).values


def the_place_not_the_score(scores, classes):
    """You returned the classes themselves, as numbers. Asked for is what stands in `scores` at that place."""
    return classes.to(scores.dtype)


def squeezed_blindly(scores, classes):
    """`squeeze()` without a dim drops every axis of size 1, the batch of one included: name the axis."""
    return scores.gather(1, classes[:, None]).squeeze()


def taken_from_the_flat(scores, classes):
    """`take` counts through the whole tensor, row after row: class 2 is element 2 of row 0 for every row."""
    return scores.take(classes)


picked = Exercise(
    picked,
    inputs=scores_and_classes,
    mistakes=(
        whole_columns,
        still_a_column,
        along_the_batch,
        the_largest,
        the_place_not_the_score,
        squeezed_blindly,
        taken_from_the_flat,
    ),
    hints=(
        "`gather` wants an index with as many axes as the tensor: make `classes` a column, (N, 1).",
        "`scores.gather(1, column)` reads `scores[n, column[n, 0]]` for each n. Its shape is that of the index.",
        "Drop the axis of size 1 that is left, and only that one: `.squeeze(1)`.",
    ),
)


def samples_to_standardise(seed: int) -> list[tuple]:
    """Return samples (N, F), each with a level and spread.

    Not square, square, one, long, two features, far from 0.
    """
    draw = torch.Generator().manual_seed(seed)
    shapes = ((3, 5), (4, 4), (1, 6), (2, 50), (7, 2), (40, 8))
    levels = {
        2: torch.tensor([0.0, 20.0]),
        8: 16,
    }  # two equal features would have no spread; far from 0 digits cancel
    return [
        (
            torch.randn(count, features, generator=draw) * (1 + torch.rand(count, 1, generator=draw))
            + 3 * torch.randn(count, 1, generator=draw)
            + levels.get(features, 0),
        )
        for count, features in shapes
    ]


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
    mistakes=(without_keepdim, by_column, by_the_whole, centred_only, by_the_variance, divided_by_count),
    hints=(
        "Which axis should disappear when you average one sample? That is `dim`.",
        "`samples.mean(dim=1)` has shape (N,). Lined up from the right it meets F, not N.",
        "`keepdim=True` leaves the axis there with size 1: (N, 1) broadcasts along the row.",
    ),
)


def clouds(seed: int) -> list[tuple]:
    """Return queries (Q, D) and points (P, D) in float64.

    Few, as many, one each, no query, far from 0, 600,000 pairs.
    """
    draw = torch.Generator().manual_seed(seed)
    shapes = ((4, 6, 2), (5, 5, 3), (1, 1, 2), (0, 3, 2), (9, 40, 3), (600, 1000, 4))
    return [
        (
            torch.randn(queries, size, generator=draw, dtype=torch.float64) + (1000 if points == 40 else 0),
            torch.randn(points, size, generator=draw, dtype=torch.float64) + (1000 if points == 40 else 0),
        )
        for queries, points, size in shapes
    ]


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
    return torch.cdist(queries, points).min(dim=1).values


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


nearest = Exercise(
    nearest,
    inputs=clouds,
    mistakes=(
        for_each_point,
        the_farthest,
        one_for_all,
        the_distance_itself,
        signs_cancel,
        coordinates_not_added,
        sum_of_sizes,
    ),
    hints=(
        "Make one axis for the queries and one for the points: (Q, 1, D) against (1, P, D).",
        "Their difference has shape (Q, P, D). Square it and sum over the coordinates: (Q, P).",
        "`argmin(dim=1)` makes the points' axis disappear: one index for each query.",
    ),
)
