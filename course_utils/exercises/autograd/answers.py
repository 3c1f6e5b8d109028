"""Our answers to the questions of chapter 02: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import torch

from lessonkit.checks.answer import Answer


def two_gradients():
    """d depends on c twice, so its derivative with respect to c is 2c. d depends on a through c and also
    directly."""
    a, b = 3.0, -2.0
    c = a * b
    return 2 * c * b + 1, 2 * c * a


def without_the_direct_path():
    """You followed the path from a through c only. a also enters d directly, with derivative 1. Add both paths."""
    return 24.0, -36.0


def only_the_direct_path():
    """You counted only the direct path from a to d and lost the one through c. The gradients of all paths are
    added."""
    return 1.0, -36.0


def used_once():
    """c occurs twice in c * c, so the graph has two edges for it, and the derivative of c * c is 2c, not c."""
    return 13.0, -18.0


def the_other_way_round():
    """The numbers are right, but they are in the wrong order: the gradient of a comes first, then that of b."""
    return -36.0, 25.0


def stopped_at_c():
    """You stopped at c. Multiply by the derivative of c: it is b with respect to a, and a with respect to b."""
    return -11.0, -12.0


def one_tensor():
    """The numbers are right, but they are in one tensor. Write a pair, `(…, …)`."""
    return torch.tensor([25.0, -36.0])


def one_tensor_of_float64():
    """The numbers are right, but they are in one array or tensor. Write a pair, `(…, …)`."""
    return torch.tensor([25.0, -36.0], dtype=torch.float64)


def one_tensor_of_whole_numbers():
    """The numbers are right, but they are in one tensor of whole numbers. Write a pair, `(…, …)`."""
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
        "Draw the graph: c has two edges into the product, and a has one edge into c and one into d.",
        "Compute the gradient of c first: c is -6 and is used twice, so its gradient is 2 · (-6).",
        "The derivative of c = a · b with respect to a is b = -2. Then add the gradient of the direct edge from "
        "a to d.",
    ),
)


def gradient_in_pieces(w, x, y, size):
    """The loss of each piece is its part of the mean over the whole batch."""
    w.grad = None
    for start in range(0, len(y), size):
        errors = x[start : start + size] @ w - y[start : start + size]
        loss = (errors**2).sum() / len(y)
        loss.backward()
    return w.grad


def left_from_before(w, x, y, size):
    """`w.grad` still held an earlier gradient when you began, and `backward` added to it. Clear `w.grad` before
    the loop."""
    for rows, wanted in zip(x.split(size), y.split(size), strict=True):
        (((rows @ w - wanted) ** 2).sum() / len(y)).backward()
    return w.grad


def cleared_at_every_piece(w, x, y, size):
    """You cleared the gradient inside the loop, so only that of the last piece is left. Clear it once, before
    the loop."""
    for rows, wanted in zip(x.split(size), y.split(size), strict=True):
        w.grad = None
        (((rows @ w - wanted) ** 2).sum() / len(y)).backward()
    return w.grad


def a_mean_for_each_piece(w, x, y, size):
    """You added the means of the pieces, so the gradient is too large by a factor of about the number of pieces.
    The loss is one mean over the whole batch."""
    w.grad = None
    for rows, wanted in zip(x.split(size), y.split(size), strict=True):
        ((rows @ w - wanted) ** 2).mean().backward()
    return w.grad


def mean_of_the_means(w, x, y, size):
    """You took the mean of the pieces' means, so the rows of a short last piece count more than the others. Sum
    the squares of each piece, and divide by the number of rows in the whole batch."""
    w.grad = None
    pieces = x.split(size)
    for rows, wanted in zip(pieces, y.split(size), strict=True):
        (((rows @ w - wanted) ** 2).mean() / len(pieces)).backward()
    return w.grad


def never_divided(w, x, y, size):
    """You summed the squares and did not divide. The loss is a mean over the `len(y)` rows of the whole batch."""
    w.grad = None
    for rows, wanted in zip(x.split(size), y.split(size), strict=True):
        ((rows @ w - wanted) ** 2).sum().backward()
    return w.grad


def all_rows_at_once(w, x, y, size):
    """The numbers are right, but the graphs kept all rows of `x` in memory at the same time. This happens with
    one graph for the whole batch, with losses that are added up before one `backward` at the end, and with
    graphs that are kept after their `backward` (`retain_graph`, a list of losses). Inside the loop, compute the
    loss of one piece, call `backward`, and keep no reference to the loss."""
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
        "`backward` adds to `w.grad`. So clear it once, call `backward` once for each piece, and return it at "
        "the end.",
        "`for start in range(0, len(y), size)` and the slice `start : start + size` give the pieces.",
        "Take 7 rows in pieces of 3, 3 and 1. By what must you divide each piece's *sum*, so that the results "
        "add up to the mean of the 7?",
    ),
)


def backward(result):
    """First find a topological order, in which each value comes after all that it was made from. Then visit each
    value once, in reverse order."""
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
    """Return all values behind a result, after setting their gradients: 0 unless the value is a leaf, and 1 for
    the result."""
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
    """A value passed on its whole `.grad` each time a gradient arrived, so earlier gradients were passed on more
    than once. Pass it on once, after all gradients have arrived."""
    result.grad, waiting = 1.0, [result]
    for value in waiting:  # grows while we walk along it
        for source, slope in value.made_from if len(waiting) < 100_000 else ():
            source.grad += slope * value.grad
            waiting.append(source)


def goes_deeper_at_once(result):
    """Each time a gradient arrived, a value passed on its whole `.grad` and the walk went on from there at once,
    so earlier gradients were passed on more than once. Pass it on once, after all gradients have arrived."""
    result.grad, calls = 1.0, 0

    def hand_on(value):
        nonlocal calls
        calls += 1
        for source, slope in value.made_from if calls < 100_000 else ():
            source.grad += slope * value.grad
            hand_on(source)

    hand_on(result)


def as_they_were_met(result):
    """Each value passed on its gradient once, but in the order in which your walk from the result reached the
    values. A value that is reached early can be an input of values that come later, and then it passes on its
    gradient before all of it has arrived. Every value must come after all values that were made from it."""
    for value in _afresh(result):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


def nobody_starts(result):
    """Every gradient is 0. The derivative of the result with respect to itself is 1, and you did not write it
    into `result.grad`."""
    _afresh(result)


def leaves_start_afresh(result):
    """After a second call, your leaves hold the gradient of one call only, as if they had been cleared. In
    PyTorch the leaves *accumulate* gradients; only the values that are not leaves start from 0."""
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
    """Values that are not leaves kept the `.grad` of an earlier call and passed it on as well. Set their `.grad`
    to 0 first."""
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
        "There are two parts: put all values behind `result` into an order, then go through them once and pass "
        "the gradients on.",
        "Define a function place(value) inside. It does nothing for a value that it has seen. Otherwise it first "
        "places all that `value` was made from, and then appends `value` to a list.",
        "In that list each value comes after all that it was made from, so go through it in reverse. Before "
        "that, set `.grad` to 0 for each value that has a `made_from`, and to 1 for the result.",
    ),
)


def sum_to(grad, shape):
    """First sum over the leading axes that `shape` does not have, then over those of size 1, which stay."""
    for _ in range(grad.dim() - len(shape)):
        grad = grad.sum(dim=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(dim=axis, keepdim=True)
    return grad


def only_in_front(grad, shape):
    """You summed over the leading axes but not over those of size 1, so the result is still larger than `shape`.
    Sum over these too, with `keepdim=True`."""
    for _ in range(grad.dim() - len(shape)):
        grad = grad.sum(dim=0)
    return grad


def only_of_size_one(grad, shape):
    """You summed over the axes of size 1 but kept the leading axes, which `shape` does not have. They come from
    broadcasting as well, so sum over them."""
    extra = grad.dim() - len(shape)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(dim=axis + extra, keepdim=True)
    return grad


def means(grad, shape):
    """You took means. Each use of an element is an edge of its own, and gradients that arrive on several edges
    are added."""
    for _ in range(grad.dim() - len(shape)):
        grad = grad.mean(dim=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.mean(dim=axis, keepdim=True)
    return grad


def the_first_place(grad, shape):
    """You took the gradient of the first position only. The gradient of an element that was used at many
    positions is the sum of them all."""
    for _ in range(grad.dim() - len(shape)):
        grad = grad[0]
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.narrow(axis, 0, 1)
    return grad


def no_axis_is_all_axes(grad, shape):
    """If there was no axis to sum over, you summed over all axes: `sum(dim=())` treats an empty tuple of axes as
    all axes. Call `sum` only if there is an axis."""
    extra = grad.dim() - len(shape)
    grad = grad.sum(dim=tuple(range(extra)))
    axes = tuple(axis for axis, size in enumerate(shape) if size == 1)
    return grad.sum(dim=axes, keepdim=True) if axes else grad


sum_to = Answer(
    sum_to,
    mistakes=(only_in_front, only_of_size_one, means, the_first_place, no_axis_is_all_axes),
    hints=(
        "Broadcasting first adds leading axes until both shapes have the same length, and then expands axes of "
        "size 1. Undo both steps.",
        "`grad` has `grad.dim() - len(shape)` leading axes too many. Call `grad.sum(dim=0)` that many times.",
        "Then call `grad.sum(dim=axis, keepdim=True)` for each axis where `shape` has a 1.",
    ),
)


def matmul_backward(a, b, grad):
    """The gradient of each factor is a product with the other factor, transposed so that the shapes fit. It is
    summed over the axes that were broadcast."""
    return (grad @ b.mT).sum_to_size(a.shape), (a.mT @ grad).sum_to_size(b.shape)


def not_summed(a, b, grad):
    """The products are right, but if a factor was broadcast over the batch, its gradients of all batch entries
    must be added. Sum each gradient to the shape of its factor."""
    return grad @ b.mT, a.mT @ grad


def batches_averaged(a, b, grad):
    """If a factor was broadcast, you took the mean over the batch. Each batch entry uses the factor once more,
    so take the sum."""
    return tuple(
        g.sum_to_size(side.shape) / max(1, g.numel() // max(1, side.numel()))
        for g, side in ((grad @ b.mT, a), (a.mT @ grad, b))
    )


def exchanged(a, b, grad):
    """The two gradients are swapped. Return that of a first, then that of b."""
    return (a.mT @ grad).sum_to_size(b.shape), (grad @ b.mT).sum_to_size(a.shape)


def first_matrix_only(a, b, grad):
    """If a factor was broadcast, you kept the gradient of the first batch entry only. All entries used the
    factor, so add their gradients."""

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
        "Look at the shapes first: a is (N, K), b is (K, M), grad is (N, M). Which product of grad and b has the "
        "shape (N, K)?",
        "It is `grad @ b.mT` for a, and `a.mT @ grad`, of shape (K, M), for b. `.mT` swaps the last two axes, "
        "with or without a batch.",
        "A factor that was broadcast over the batch has fewer or smaller batch axes. Sum over these with your "
        "`sum_to`.",
    ),
)
