"""Our answers to the questions of chapter 02: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import torch

from lessonkit.checks.answer import Answer


def two_gradients():
    """c is used twice, so d changes by 2c per unit of c; a reaches d through c and also directly."""
    a, b = 3.0, -2.0
    c = a * b
    return 2 * c * b + 1, 2 * c * a


def without_the_direct_path():
    """You followed a through c only. a also enters d directly, with slope 1: both paths count, added."""
    return 24.0, -36.0


def only_the_direct_path():
    """You kept the last path for a and lost the one through c. Gradients of several paths are added."""
    return 1.0, -36.0


def used_once():
    """c stands twice in c * c: one edge for each, so d changes by 2c per unit of c, not by c."""
    return 13.0, -18.0


def the_other_way_round():
    """The right numbers in the wrong order: the first belongs to a, the second to b."""
    return -36.0, 25.0


def stopped_at_c():
    """You stopped at c. From c it goes on to a with the slope b, and to b with the slope a."""
    return -11.0, -12.0


def one_tensor():
    """The right numbers, in one tensor. Write the pair itself, `(…, …)`."""
    return torch.tensor([25.0, -36.0])


def one_tensor_of_float64():
    """The right numbers, in one array or tensor. Write the pair itself, `(…, …)`."""
    return torch.tensor([25.0, -36.0], dtype=torch.float64)


def one_tensor_of_whole_numbers():
    """The right numbers, in one tensor of whole numbers. Write the pair itself, `(…, …)`."""
    return torch.tensor([25, -36])


two_gradients = Answer(
    two_gradients,
    mistakes=(
        without_the_direct_path,
        only_the_direct_path,
        used_once,
        the_other_way_round,
        stopped_at_c,
        one_tensor,
        one_tensor_of_float64,
        one_tensor_of_whole_numbers,
    ),
    hints=(
        "Draw it: c has two edges into the product, a has one edge into c and one into d.",
        "First the gradient of c: c is -6 and used twice, so 2 · (-6).",
        "c = a · b has the slope b = -2 against a. Then add what reaches a on the direct edge.",
    ),
)


def gradient_in_pieces(w, x, y, size):
    """Each piece adds its share of the whole batch's mean."""
    w.grad = None
    for start in range(0, len(y), size):
        errors = x[start : start + size] @ w - y[start : start + size]
        loss = (errors**2).sum() / len(y)
        loss.backward()
    return w.grad


def left_from_before(w, x, y, size):
    """`w.grad` held the gradient of an earlier step when you began, and `backward` added to it. Clear it first."""
    for rows, wanted in zip(x.split(size), y.split(size), strict=True):
        (((rows @ w - wanted) ** 2).sum() / len(y)).backward()
    return w.grad


def cleared_at_every_piece(w, x, y, size):
    """You cleared the gradient inside the loop: only the last piece is left. Clear once, before the loop."""
    for rows, wanted in zip(x.split(size), y.split(size), strict=True):
        w.grad = None
        (((rows @ w - wanted) ** 2).sum() / len(y)).backward()
    return w.grad


def a_mean_for_each_piece(w, x, y, size):
    """You added up the means of the pieces: too large by the number of pieces. The whole batch has one mean."""
    w.grad = None
    for rows, wanted in zip(x.split(size), y.split(size), strict=True):
        ((rows @ w - wanted) ** 2).mean().backward()
    return w.grad


def mean_of_the_means(w, x, y, size):
    """A mean of means: the rows of a short last piece count more than the others. Sum each piece and divide by the
    number of rows in the whole batch."""
    w.grad = None
    pieces = x.split(size)
    for rows, wanted in zip(pieces, y.split(size), strict=True):
        (((rows @ w - wanted) ** 2).mean() / len(pieces)).backward()
    return w.grad


def never_divided(w, x, y, size):
    """You summed the squares and never divided: the loss is a mean over the whole batch, `len(y)` rows."""
    w.grad = None
    for rows, wanted in zip(x.split(size), y.split(size), strict=True):
        ((rows @ w - wanted) ** 2).sum().backward()
    return w.grad


def all_rows_at_once(w, x, y, size):
    """The right numbers, but all rows were kept at once: by one graph over the whole batch, by losses that are
    added up and walked back only at the end, or by graphs still held after their `backward` (`retain_graph`, a list
    of losses). One piece, one graph, one `backward`, inside the loop, and then let it go."""
    return torch.autograd.grad(((x @ w - y) ** 2).mean(), w)[0]


gradient_in_pieces = Answer(
    gradient_in_pieces,
    mistakes=(
        all_rows_at_once,
        left_from_before,
        cleared_at_every_piece,
        a_mean_for_each_piece,
        mean_of_the_means,
        never_divided,
    ),
    hints=(
        "`backward` adds to `w.grad`: clear it once, call `backward` once for each piece, return it at the end.",
        "`for start in range(0, len(y), size)` and the slice `start : start + size` give the pieces.",
        "7 rows in pieces of 3, 3 and 1: what must each piece's *sum* be divided by, to add up to the mean of 7?",
    ),
)


def backward(result):
    """First an order in which each value stands behind all that it was made from, then one visit each."""
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            if value.made_from:
                value.grad = 0.0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


def _afresh(result):
    """All values behind a result; what is no leaf starts from 0, the result from 1."""
    seen, waiting = {result}, [result]
    for value in waiting:
        value.grad = 0.0 if value.made_from else value.grad
        for source, _ in value.made_from:
            if source not in seen:
                seen.add(source)
                waiting.append(source)
    result.grad = 1.0
    return waiting


def hands_on_again(result):
    """A value handed on its whole `.grad` at every arrival, so that earlier arrivals went on more than once. Hand
    on once, when everything has arrived."""
    result.grad, waiting = 1.0, [result]
    for value in waiting:  # grows while we walk along it
        for source, slope in value.made_from if len(waiting) < 100_000 else ():
            source.grad += slope * value.grad
            waiting.append(source)


def goes_deeper_at_once(result):
    """At every arrival a value handed on its whole `.grad`, and went deeper at once: earlier arrivals went on more
    than once. Hand on once, when everything has arrived."""
    result.grad, calls = 1.0, 0

    def hand_on(value):
        nonlocal calls
        calls += 1
        for source, slope in value.made_from if calls < 100_000 else ():
            source.grad += slope * value.grad
            hand_on(source)

    hand_on(result)


def as_they_were_met(result):
    """Each value handed on once, but in the order in which you met them from the result on: one that is met early
    can be a part of others that come later, and hands on before all has arrived. Everything made from a value must
    come before it."""
    for value in _afresh(result):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


def nobody_starts(result):
    """Every gradient is 0: the result's own slope is 1, and you never wrote it into `result.grad`."""
    _afresh(result)


def leaves_start_afresh(result):
    """Called again, your leaves hold the gradient of one call, as if cleared. In PyTorch leaves *add* what arrives;
    only the values between start from 0."""
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            value.grad = 0.0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


def nothing_starts_afresh(result):
    """The values between kept what an earlier walk had left in their `.grad`, and handed it on as well. All but the
    leaves start from 0."""
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


backward = Answer(
    backward,
    mistakes=(
        hands_on_again,
        goes_deeper_at_once,
        as_they_were_met,
        nobody_starts,
        leaves_start_afresh,
        nothing_starts_afresh,
    ),
    hints=(
        "Two parts: put all values behind `result` in an order, then go through it once and hand on.",
        "A function inside: place(value) does nothing for a value it has seen; else it first places all that "
        "`value` was made from, and appends `value` to a list last.",
        "In that list each value stands behind what it was made from: walk it from the end. Before that, 0 for all "
        "that have a `made_from`, and 1 for the result.",
    ),
)


def sum_to(grad, shape):
    """First the axes in front, which `shape` does not have, then those of size 1, which stay."""
    for _ in range(grad.dim() - len(shape)):
        grad = grad.sum(dim=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(dim=axis, keepdim=True)
    return grad


def only_in_front(grad, shape):
    """You summed the axes in front and left those of size 1: the result is still larger than `shape`. Sum these
    too, with `keepdim=True`."""
    for _ in range(grad.dim() - len(shape)):
        grad = grad.sum(dim=0)
    return grad


def only_of_size_one(grad, shape):
    """You summed the axes of size 1 and kept those in front, which `shape` does not have. They were broadcast as
    well: sum them away."""
    extra = grad.dim() - len(shape)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(dim=axis + extra, keepdim=True)
    return grad


def means(grad, shape):
    """You took means. Each use of an element is an edge of its own, and what arrives on edges is added."""
    for _ in range(grad.dim() - len(shape)):
        grad = grad.mean(dim=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.mean(dim=axis, keepdim=True)
    return grad


def the_first_place(grad, shape):
    """You took what arrived at the first place. An element that was used at many places gets the sum of all."""
    for _ in range(grad.dim() - len(shape)):
        grad = grad[0]
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.narrow(axis, 0, 1)
    return grad


def no_axis_is_all_axes(grad, shape):
    """Where there was nothing to sum, you summed everything: `sum(dim=())` takes an empty list of axes for all of
    them. Ask first whether there are any."""
    extra = grad.dim() - len(shape)
    grad = grad.sum(dim=tuple(range(extra)))
    axes = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return grad.sum(dim=axes, keepdim=True) if axes else grad


sum_to = Answer(
    sum_to,
    mistakes=(only_in_front, only_of_size_one, means, the_first_place, no_axis_is_all_axes),
    hints=(
        "Broadcasting first puts axes in front until both have as many, then stretches axes of size 1. Go back.",
        "`grad.dim() - len(shape)` axes stand in front: `grad.sum(dim=0)`, so many times.",
        "Then, for each axis where `shape` says 1: `grad.sum(dim=axis, keepdim=True)`.",
    ),
)


def matmul_backward(a, b, grad):
    """Against one factor the slope is the other: put so that the axes fit. What was broadcast is summed."""
    return (grad @ b.mT).sum_to_size(a.shape), (a.mT @ grad).sum_to_size(b.shape)


def not_summed(a, b, grad):
    """Right but for the batch: where a factor was broadcast over batches, its gradients of all batches are added.
    Bring each into the shape of its factor."""
    return grad @ b.mT, a.mT @ grad


def batches_averaged(a, b, grad):
    """Where a factor was broadcast, you took a mean over the batch. Each batch used it once more: add."""
    return tuple(
        g.sum_to_size(side.shape) / max(1, g.numel() // max(1, side.numel()))
        for g, side in ((grad @ b.mT, a), (a.mT @ grad, b))
    )


def exchanged(a, b, grad):
    """The gradients are exchanged: return that of a first, then that of b."""
    return (a.mT @ grad).sum_to_size(b.shape), (grad @ b.mT).sum_to_size(a.shape)


def first_matrix_only(a, b, grad):
    """Where a factor was broadcast, you kept the gradient of the first batch. All batches used it: add them."""

    def first(g, shape):
        while g.dim() > len(shape):
            g = g[0]
        for axis, size in enumerate(shape):
            g = g.narrow(axis, 0, 1) if size == 1 else g
        return g

    return first(grad @ b.mT, a.shape), first(a.mT @ grad, b.shape)


matmul_backward = Answer(
    matmul_backward,
    mistakes=(not_summed, batches_averaged, exchanged, first_matrix_only),
    hints=(
        "Shapes first: a is (N, K), b is (K, M), grad is (N, M). Which product of grad and b has the shape (N, K)?",
        "`grad @ b.mT` for a, and for b, (K, M): `a.mT @ grad`. `.mT` exchanges the last two axes, batch or not.",
        "A factor that was broadcast over batches has fewer or smaller batch axes: sum, with your `sum_to`.",
    ),
)
