"""What chapter 02 asks: two paths, gradients in pieces; the way back of an engine, a broadcast, a product.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import math
import random
import weakref
from collections.abc import Callable, Iterable

import torch

from lessonkit.checks.question import Question
from lessonkit.checks.restrictions import no_call

AUTOGRAD = "torch.autograd", "torch.func", "backward"


two_gradients = Question(
    "two_gradients",
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


gradient_in_pieces = Question(
    "gradient_in_pieces",
    inputs=regressions,
    probe=one_piece_at_a_time,
    restrictions=(no_call("torch.func"),),
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


backward = Question(
    "backward",
    inputs=formulas,
    describe=lambda formula, numbers: "formula and numbers, used as `backward(formula(*map(Value, numbers)))`",
    probe=both_times,
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


sum_to = Question(
    "sum_to",
    inputs=broadcasts,
    restrictions=(no_call("sum_to_size", *AUTOGRAD),),
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


matmul_backward = Question(
    "matmul_backward",
    inputs=matrices,
    restrictions=(no_call(*AUTOGRAD),),
)
