"""Questions of chapter 02: two paths, gradients in pieces; the way back of an engine, a broadcast, a product."""

import math
import random
import weakref
from collections.abc import Callable, Iterable

import torch

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.restrictions import no_call

AUTOGRAD = "torch.autograd", "torch.func", "backward"


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


two_gradients = Exercise(
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


MANY = 40  # rows; a graph over so many keeps a number of each, in whatever form, and two rows never as many


def regressions(seed: int) -> list[tuple]:
    """Return the arguments (w, x, y, size) of each case, float64 but for the last.

    A short last piece, one piece, pieces of one, equal pieces, a size above the batch. The weights carry a gradient
    of an earlier step: of size 1, one beside which the digits of the answer are lost, then none, then NaN. Then
    columns for rows, a far-away y, and float32; at last many rows in small pieces.
    """
    draw = torch.Generator().manual_seed(seed)
    cases = []
    sizes = ((7, 2, 3, 1.0), (4, 3, 4, 1.0), (5, 2, 1, 1.0), (6, 2, 2, 1.0), (3, 1, 8, 1.0))
    for rows, features, size, before in (*sizes, (5, 2, 2, 1e12), (4, 2, 3, None), (4, 2, 2, math.nan)):
        w, x, y = (
            torch.randn(*shape, generator=draw, dtype=torch.float64)
            for shape in ((features,), (rows, features), (rows,))
        )
        w.requires_grad_().grad = None if before is None else torch.full_like(w, before)
        cases.append((w, x, y, size))
    w, x, y = (torch.randn(*shape, generator=draw, dtype=torch.float64) for shape in ((2,), (2, 5), (10,)))
    cases.append((w.requires_grad_(), x.T, y[::2] + 100, 2))
    cases.append((w.detach().float().requires_grad_(), x.T.float(), y[::2].float(), 3))
    x, y = (torch.randn(*shape, generator=draw, dtype=torch.float64) for shape in ((MANY + 1, 2), (MANY + 1,)))
    cases.append((w.detach().clone().requires_grad_(), x, y, 2))
    return cases


def one_piece_at_a_time(answer: Callable, w: torch.Tensor, x: torch.Tensor, y: torch.Tensor, size: int) -> dict:
    """Drive an answer: its gradient, and how many rows of x its graphs kept at most at one time."""
    alive, most = weakref.WeakSet(), 0

    class Kept:
        def __init__(self, tensor):
            nonlocal most
            self.tensor = tensor.detach()
            self.rows = rows_in(self.tensor, x)
            alive.add(self)
            most = max(most, len(set().union(*(kept.rows for kept in alive))))
            if len(x) > MANY and sum(kept.tensor.numel() for kept in alive) > MANY:
                most = len(x)

    try:
        with torch.autograd.graph.saved_tensors_hooks(Kept, lambda kept: kept.tensor):
            gradient = answer(w, x, y, size)
    except RuntimeError as error:
        if "saved tensor hooks" not in str(error):
            raise
        gradient = answer(w, x, y, size)  # torch.func, which goes without hooks: for the restriction to find
    return {"the gradient": gradient, "the most rows that graphs kept at once (`size` or fewer)": max(most, size)}


def rows_in(kept: torch.Tensor, x: torch.Tensor) -> set[int]:
    """Which rows of x a tensor holds, along its last axis or the one before."""
    features, found = x.shape[1], set()
    for values in (kept, kept.mT) if kept.dim() > 1 else (kept,):
        if values.dim() and values.shape[-1] == features:
            same = torch.isclose(values.reshape(-1, 1, features).to(x.dtype), x, rtol=1e-4).all(dim=-1)
            found |= set(same.any(dim=0).nonzero().flatten().tolist())
    return found


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


gradient_in_pieces = Exercise(
    gradient_in_pieces,
    inputs=regressions,
    probe=one_piece_at_a_time,
    mistakes=(
        all_rows_at_once,
        left_from_before,
        cleared_at_every_piece,
        a_mean_for_each_piece,
        mean_of_the_means,
        never_divided,
    ),
    restrictions=(no_call("torch.func"),),
    hints=(
        "`backward` adds to `w.grad`: clear it once, call `backward` once for each piece, return it at the end.",
        "`for start in range(0, len(y), size)` and the slice `start : start + size` give the pieces.",
        "7 rows in pieces of 3, 3 and 1: what must each piece's *sum* be divided by, to add up to the mean of 7?",
    ),
)


class Value:
    """The chapter's number that remembers which values it was made from: `made_from` holds pairs (value, slope)."""

    def __init__(self, data: float, made_from: tuple = ()) -> None:
        self.data, self.grad, self.made_from = data, 0.0, made_from

    def __add__(self, other: "Value") -> "Value":
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other: "Value") -> "Value":
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def __pow__(self, exponent: int) -> "Value":
        return Value(self.data**exponent, ((self, exponent * self.data ** (exponent - 1)),))


def formulas(seed: int) -> list[tuple]:
    """Return the arguments (formula, numbers) of each case: a function of Values, and its leaves' numbers.

    The chapter's own first. Values used twice, by one operation and at different depths, in both orders; equal
    numbers; a slope of 0; one leaf; a leaf used directly; one that is not used; 60 doublings; a path of 200; many
    terms; random ones. Then what an earlier call left, NaN among it: behind a slope of 0, behind arrivals that
    cancel, in a leaf; a value made from four.
    """
    draw = random.Random(seed)

    def product_first(a, b, c):
        d = a * b
        return d + d * c + (d + c) ** 2

    def product_last(a, b, c):
        d = a * b
        return (d + c) ** 2 + (c * d + d)

    def ladder(a, b):
        for _ in range(6):
            a, b = a + b, a * b
        return a * b

    def long_way_last(a, b):
        c = a * b
        far = c
        for _ in range(5):
            far = far + b
        return c + far

    def chain(a):
        for _ in range(60):
            a = a**1 + a**1
        return a

    def long_chain(a, b):
        for _ in range(198):
            a = a + b
        return a

    def terms(*leaves):
        total = leaves[0]
        for leaf in leaves[1:] * 3:
            total = total + leaf * leaves[0]
        return total

    def grown(*leaves):
        choice, pool = random.Random(seed + 1), list(leaves)
        for _ in range(18):
            one, other = choice.choice(pool), choice.choice(pool)
            pool.append(one + other if choice.random() < 0.7 or abs(one.data * other.data) > 9 else one * other)
        return pool[-1] + pool[-2]

    def left(value, grad):
        value.grad = grad
        return value

    def behind_a_slope_of_zero(a, b, zero):
        c = left(a * b, 5.0)
        return left(c**2 + b, -3.0) * zero + b

    def nan_behind_a_slope_of_zero(a, b, zero):
        return left(left(a * b, math.nan) + b, math.nan) * zero + left(a, 2.0) * b

    def cancelling(a, b, one, other):
        d = left(left(a * b, 7.0) * b, 1.0)
        return d * one + d * other + d * one * b

    def cancelled(a, b, one, other):
        d = left(left(a * b, 7.0) + b, math.nan)
        return left(left(d * one, 2.0) + d * other, 3.0)

    def with_leaves_that_hold(a, b):
        return (left(a, -1.5) * left(b, 4.0)) ** 2 * a

    def made_from_four(a, b):
        c = a * b
        c = Value(2 * c.data + a.data, ((c, 1.0), (a, 0.5), (c, 1.0), (a, 0.5)))
        return c * b + c

    def numbers(how_many):
        return tuple(draw.choice((-1, 1)) * draw.uniform(0.5, 1.5) for _ in range(how_many))

    same = numbers(1) * 3
    return [
        (lambda a, b: squared_and_kept(a * b, a), (3.0, -2.0)),
        (lambda a, b, c: (a * b + b * a) ** 2 + (b * a) * c, numbers(3)),
        (lambda a: a * a, numbers(1)),
        (lambda a, b: a + b, numbers(2)),
        (product_first, numbers(3)),
        (product_last, same),
        (ladder, numbers(2)),
        (long_way_last, numbers(2)),
        (lambda a, b, c: (a * b) ** 2 + b, (0.0, *numbers(2))),
        (chain, (1.0,)),
        (long_chain, numbers(2)),
        (terms, numbers(40)),
        (grown, numbers(3)),
        (behind_a_slope_of_zero, (*numbers(2), 0.0)),
        (nan_behind_a_slope_of_zero, (*numbers(2), 0.0)),
        (cancelling, (*numbers(2), 1.0, -1.0)),
        (cancelled, (*numbers(2), 1.0, -1.0)),
        (with_leaves_that_hold, numbers(2)),
        (made_from_four, numbers(2)),
    ]


def squared_and_kept(c: Value, a: Value) -> Value:
    """c² + c + a, with each of the three used once: 23 and -33 for c = a · b at 3 and -2."""
    return c**2 + c + a


def both_times(answer: Callable, formula: Callable, numbers: Iterable[float]) -> dict:
    """Drive an answer: the gradients after it, and after it was called once more on the same result."""
    spare = [Value(0.0) for _ in range(300)]
    random.Random(0).shuffle(spare)
    spare.clear()  # what is made next lies where these lay: addresses say nothing about the order of making
    leaves = [Value(number) for number in numbers]
    result = formula(*leaves)
    values, waiting = {id(result): result}, [result]
    for value in waiting:
        for source, _ in value.made_from:
            if id(source) not in values:
                values[id(source)] = source
                waiting.append(source)
    inner = [value for value in values.values() if value.made_from]
    record = [(value.data, value.made_from) for value in values.values()]
    answer(result)
    first = [float(leaf.grad) for leaf in leaves]
    between = [float(value.grad) for value in inner]
    answer(result)
    kept = all(
        value.data == data and value.made_from is made_from and len(vars(value)) == 3
        for value, (data, made_from) in zip(values.values(), record, strict=True)
    )
    return {
        "`.grad` of the leaves": first,
        "`.grad` of the values between, from the result back": between,
        "all but `.grad` is as it was": kept,
        "`.grad` of the leaves after a second `backward` on the same result": [float(leaf.grad) for leaf in leaves],
    }


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


backward = Exercise(
    backward,
    inputs=formulas,
    describe=lambda formula, numbers: "formula and numbers, used as `backward(formula(*map(Value, numbers)))`",
    probe=both_times,
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
    rtol=1e-9,
    atol=1e-12,
)


def broadcasts(seed: int) -> list[tuple]:
    """Return the arguments (grad, shape) of each case.

    A bias under rows, a column, a number, nothing broadcast, axes in front and of size 1 at once, several of each,
    an axis of size 1 that stays so, no element, the number of a number; transposed and strided; large numbers that
    cancel; float32, bfloat16. Then inf and NaN, which belong to their own sums; one number seen everywhere; axes
    of size 0 that stay or come from 1; 1200 rows; seven axes.
    """
    draw = torch.Generator().manual_seed(seed)

    def normal(*shape):
        return torch.randn(shape, generator=draw, dtype=torch.float64) + 0.3

    whole = torch.randint(1, 5, (4, 3), generator=draw)
    odd = normal(4, 3)
    odd[1, 0], odd[2, 2], odd[3, 2] = math.inf, math.nan, -math.inf
    return [
        (normal(5, 3), (3,)),
        (normal(4, 3), (4, 1)),
        (normal(2, 3), ()),
        (normal(3, 2), (3, 2)),
        (normal(2, 3, 4), (3, 1)),
        (normal(3, 3), (3, 1)),
        (normal(3, 3), (3,)),
        (normal(2, 1, 3, 2, 2), (1, 3, 1, 2)),
        (normal(4, 1), (4, 1)),
        (normal(1, 3), (1, 3)),
        (normal(1, 3), (3,)),
        (normal(0, 3), (3,)),
        (normal(3, 0), (3, 1)),
        (normal(2, 0), (1, 0)),
        (normal(), ()),
        (normal(1, 1), ()),
        (normal(3, 4, 2).permute(1, 2, 0), (2, 1)),
        (normal(6, 4)[::2], (1, 4)),
        (normal(2, 3, 4).transpose(0, 1), (4,)),
        (torch.tensor([[2.0**40, 5.0], [3.0, -(2.0**40)], [-(2.0**40), 1.0]], dtype=torch.float64), (2,)),
        (normal(2, 2, 3).float(), (2, 1, 1)),
        (whole.bfloat16(), (3,)),
        (odd, (3,)),
        (odd, (4, 1)),
        (odd, (4, 3)),
        (normal(1).expand(3, 4), (4,)),
        (normal(3, 1).expand(2, 3, 4), (1, 4)),
        (normal(2, 0, 3), (0, 1)),
        (normal(2, 0), (0,)),
        (normal(0), ()),
        (normal(0, 0), (1, 1)),
        (normal(2, 0, 3), (2, 1, 1)),
        (torch.randint(-9, 9, (1200, 2), generator=draw).float(), (2,)),
        (normal(2, 1, 2, 1, 2, 3, 2), (2, 1, 1, 3, 1)),
        (whole.half(), (4, 1)),
    ]


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


sum_to = Exercise(
    sum_to,
    inputs=broadcasts,
    mistakes=(only_in_front, only_of_size_one, means, the_first_place, no_axis_is_all_axes),
    restrictions=(no_call("sum_to_size", *AUTOGRAD),),
    hints=(
        "Broadcasting first puts axes in front until both have as many, then stretches axes of size 1. Go back.",
        "`grad.dim() - len(shape)` axes stand in front: `grad.sum(dim=0)`, so many times.",
        "Then, for each axis where `shape` says 1: `grad.sum(dim=axis, keepdim=True)`.",
    ),
)


def matrices(seed: int) -> list[tuple]:
    """Return (a, b, grad) of each case, whole numbers in float64 but for the last, so that each sum is exact.

    Oblong, square, a batch, a batch times one matrix, one matrix times a batch, batch axes of size 1 on either
    side, one row, one column, an inner size of 0, an empty batch; transposed, every second column, a batch turned
    round; float32; fractions. Then every axis of size 0, and 1 broadcast to 0; both sides broadcast at once; one
    tensor on both sides; one number seen everywhere; NaN, which stays in its row and column; a batch of 300;
    numbers beyond float32; bfloat16.
    """
    draw = torch.Generator().manual_seed(seed)

    def whole(*shape):
        return torch.randint(-5, 6, shape, generator=draw).double()

    def case(a, b):
        return a, b, torch.randint(-5, 6, (a @ b).shape, generator=draw).to(a.dtype)

    fractions = torch.rand(2, 3, 3, generator=draw, dtype=torch.float64)
    a, b, grad = case(whole(3, 4).T, whole(2, 3).T)
    square = whole(2, 3, 3)
    odd = whole(2, 2, 2)
    odd[0, 1, 0] = math.nan
    return [
        case(whole(2, 3), whole(3, 4)),
        case(whole(3, 3), whole(3, 3)),
        case(whole(2, 3, 4), whole(2, 4, 2)),
        case(whole(5, 2, 3), whole(3, 4)),
        case(whole(2, 3), whole(4, 3, 3)),
        case(whole(2, 1, 3, 3), whole(4, 3, 3)),
        case(whole(1, 2, 2), whole(3, 2, 2)),
        case(whole(3, 1, 1), whole(1, 1)),
        case(whole(1, 4), whole(4, 1)),
        case(whole(2, 0), whole(0, 3)),
        case(whole(0, 2, 3), whole(3, 2)),
        (a, b, grad.T.contiguous().T),
        case(whole(3, 6)[:, ::2], whole(3, 2, 3).permute(1, 0, 2)),
        case(whole(3, 2, 4).transpose(0, 1), whole(4, 2)),
        case(whole(2, 2, 3).float(), whole(3, 2).float()),
        case(fractions, fractions[0]),
        case(whole(1, 2, 3), whole(0, 3, 2)),
        case(whole(0, 2, 3), whole(1, 3, 2)),
        case(whole(2, 1, 2, 3), whole(0, 3, 2)),
        case(whole(2, 3), whole(0, 3, 2)),
        case(whole(0, 3), whole(3, 2)),
        case(whole(2, 3), whole(3, 0)),
        case(whole(2, 0, 3), whole(3, 2)),
        case(whole(2, 2, 3), whole(3, 0)),
        case(whole(2, 1, 2, 3), whole(1, 3, 3, 2)),
        case(whole(1, 1, 2, 2), whole(2, 2)),
        case(whole(2, 2), whole(1, 2, 2)),
        case(square, square),
        (whole(2, 3), whole(3, 4), torch.ones((), dtype=torch.float64).expand(2, 4)),
        (whole(1, 2, 3).expand(4, 2, 3), whole(3, 2), whole(1, 1, 1).expand(4, 2, 2)),
        (whole(2, 2, 3) + 7, whole(2, 3, 2) + 7, odd),
        (torch.cat([odd, odd]), torch.cat([whole(3, 2, 2), odd[:1]]), whole(4, 2, 2) + 7),
        case(whole(300, 1, 2), whole(2, 1)),
        (whole(2, 3) * 2.0**400, whole(3, 2) * 2.0**-90, whole(2, 2) * 2.0**300),
        case(whole(2, 2, 2).clamp(-2, 2).bfloat16(), whole(2, 2).clamp(-2, 2).bfloat16()),
    ]


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


matmul_backward = Exercise(
    matmul_backward,
    inputs=matrices,
    mistakes=(not_summed, batches_averaged, exchanged, first_matrix_only),
    restrictions=(no_call(*AUTOGRAD),),
    hints=(
        "Shapes first: a is (N, K), b is (K, M), grad is (N, M). Which product of grad and b has the shape (N, K)?",
        "`grad @ b.mT` for a, and for b, (K, M): `a.mT @ grad`. `.mT` exchanges the last two axes, batch or not.",
        "A factor that was broadcast over batches has fewer or smaller batch axes: sum, with your `sum_to`.",
    ),
)
