"""Questions of chapter 02: two paths, a numerical gradient, a Jacobian, gradients in pieces, a backward pass."""

import weakref
from collections.abc import Callable

import torch

from course_utils.checks.exercise import Exercise


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


two_gradients = Exercise(
    two_gradients,
    mistakes=(without_the_direct_path, only_the_direct_path, used_once, the_other_way_round, stopped_at_c),
    hints=(
        "Draw it: c has two edges into the product, a has one edge into c and one into d.",
        "First the gradient of c: c is -6 and used twice, so 2 · (-6).",
        "c = a · b has the slope b = -2 against a. Then add what reaches a on the direct edge.",
    ),
)


def functions_of_tensors(seed: int) -> list[tuple]:
    """Return the arguments (f, x, eps) of each case, float64 but for one.

    A matrix, a vector, a number, one element, a product of all elements. With a large eps the formula gives
    something else than the slope: equal elements and zeros, elements that act together, a transposed x in an f
    with an `if` that minds the shape, no element. In float32 it comes out exact.
    """
    draw = torch.Generator().manual_seed(seed)

    def normal(*shape):
        return torch.randn(shape, generator=draw, dtype=torch.float64) + 0.5

    weights, columns = normal(4), normal(1, 2)
    twice = 1 + normal(1).abs().item()
    some = torch.randint(-8, 9, (2, 3), generator=draw) / 4
    return [
        (lambda x: (x**3).sum(), normal(2, 3), 1e-4),
        (lambda x: (weights * x.sin()).sum(), normal(4), 1e-4),
        (lambda x: x.exp(), normal(), 1e-4),
        (lambda x: (x * x).sum(), normal(1), 1e-4),
        (lambda x: x.prod() + x.exp().mean(), normal(2, 1, 2), 1e-4),
        (lambda x: (x**3).sum(), torch.tensor([0.0, twice, -2.0, twice, 0.0], dtype=torch.float64), 0.5),
        (lambda x: x.prod(), normal(3), 0.3),
        (lambda x: (columns * x if x.sum() < 99 else x).sum(dim=0).prod(), normal(2, 3).T, 0.1),
        (lambda x: (x * x).sum(), normal(0, 3), 0.1),
        (lambda x: (x * x).sum(), some, 0.5),
    ]


def numeric_gradient(f, x, eps):
    """Move one element at a time, up and down, and divide the change by the way between."""
    gradient = torch.zeros(x.shape, dtype=x.dtype)  # zeros_like would take over the layout of a transposed x
    for i in range(x.numel()):
        step = torch.zeros_like(gradient)
        step.view(-1)[i] = eps
        gradient.view(-1)[i] = (f(x + step) - f(x - step)) / (2 * eps)
    return gradient


def only_upwards(f, x, eps):
    """You compared f(x + step) with f(x). That one-sided slope is off by about eps times half the curvature; take
    f(x + step) - f(x - step) over 2 · eps, where this part cancels."""
    gradient = torch.zeros(x.shape, dtype=x.dtype)
    for i in range(x.numel()):
        step = torch.zeros_like(gradient)
        step.view(-1)[i] = eps
        gradient.view(-1)[i] = (f(x + step) - f(x)) / eps
    return gradient


def half_the_way(f, x, eps):
    """Twice too large: from x - step to x + step the way is 2 · eps, and you divided by eps."""
    gradient = torch.zeros(x.shape, dtype=x.dtype)
    for i in range(x.numel()):
        step = torch.zeros_like(gradient)
        step.view(-1)[i] = eps
        gradient.view(-1)[i] = (f(x + step) - f(x - step)) / eps
    return gradient


def all_at_once(f, x, eps):
    """You moved all elements at once and got one number, the sum of the gradient. Each element needs a step of its
    own, with zeros everywhere else."""
    return torch.full_like(x, ((f(x + eps) - f(x - eps)) / (2 * eps)).item())


def never_went_back(f, x, eps):
    """Your step keeps the elements moved before: at element i it also moves all before it. Begin each step with
    zeros."""
    gradient, step = torch.zeros(x.shape, dtype=x.dtype), torch.zeros(x.shape, dtype=x.dtype)
    for i in range(x.numel()):
        step.view(-1)[i] = eps
        gradient.view(-1)[i] = (f(x + step) - f(x - step)) / (2 * eps)
    return gradient


def moved_x_itself(f, x, eps):
    """You moved x itself and did not put it back: the caller's x is changed, and each slope is taken at another
    place. Compute with x + step, a new tensor."""
    gradient = torch.zeros_like(x)
    for place in torch.ones_like(x).nonzero().unbind():
        place = tuple(place)
        x[place] += eps
        above = f(x)
        x[place] -= 2 * eps
        gradient[place] = (above - f(x)) / (2 * eps)
    return gradient


def laid_flat(f, x, eps):
    """The numbers are right, laid out in a row. The gradient has the shape of x."""
    flat = []
    for i in range(x.numel()):
        step = torch.zeros(x.shape, dtype=x.dtype)
        step.view(-1)[i] = eps
        flat.append((f(x + step) - f(x - step)) / (2 * eps))
    return torch.stack(flat)


numeric_gradient = Exercise(
    numeric_gradient,
    inputs=functions_of_tensors,
    mistakes=(only_upwards, half_the_way, all_at_once, never_went_back, moved_x_itself, laid_flat),
    hints=(
        "Start from `gradient = torch.zeros(x.shape, dtype=x.dtype)` and fill it, one element after the other.",
        "`x.numel()` counts the elements, and `t.view(-1)[i] = …` writes the i-th of such a new t in any shape.",
        "A fresh `step` of zeros with eps at place i, then (f(x + step) - f(x - step)) / (2 * eps).",
    ),
    rtol=1e-6,
    atol=1e-6,
)


def vector_functions(seed: int) -> list[tuple]:
    """Return the arguments (f, x) of each case, float64.

    3 numbers to 2, 2 to 4, 1 to 3, 4 to 1, 3 to 3; equal outputs, steep; last, in float32.
    """
    draw = torch.Generator().manual_seed(seed)

    def normal(*shape):
        return torch.randn(shape, generator=draw, dtype=torch.float64) + 0.2

    wide, tall, last = normal(2, 3), normal(4, 2), normal(3, 3)
    return [
        (lambda x: (wide @ x) ** 2, normal(3)),
        (lambda x: torch.tanh(tall @ x), normal(2)),
        (lambda x: torch.cat([x**2, x.exp(), x.sin()]), normal(1)),
        (lambda x: x.prod().reshape(1), normal(4)),
        (lambda x: x * (last @ x), normal(3)),
        (lambda x: 100 * x * x, torch.tensor([-1.5, 1.5, 1.5], dtype=torch.float64) + seed % 2),
        (lambda x: wide.float() @ (x * x), normal(3).float()),
    ]


def without_torch_func(answer: Callable, f: Callable, x: torch.Tensor) -> dict:
    """Return the matrix, and whether f met only tensors that no transform of torch.func had wrapped."""
    bare = []

    def watched(x):
        bare.append(not torch._C._functorch.is_functorch_wrapped_tensor(x))
        return f(x)

    return {"the matrix": answer(watched, x), "without `torch.func`": all(bare)}


def jacobian(f, x):
    """One walk back for each output; the graph must survive all of them."""
    x = x.detach().requires_grad_()
    y = f(x)
    rows = []
    for i in range(len(y)):
        v = torch.zeros_like(y)
        v[i] = 1
        rows += torch.autograd.grad(y, x, v, retain_graph=True)
    return torch.stack(rows)


def as_columns(f, x):
    """Transposed: row i belongs to output i, and has one entry for each input."""
    x = x.detach().requires_grad_()
    y = f(x)
    basis = torch.eye(len(y), dtype=y.dtype)
    return torch.stack([torch.autograd.grad(y, x, v, retain_graph=True)[0] for v in basis], dim=1)


def asked_for_all_outputs(f, x):
    """With v = ones you get the sum of all rows, as one row. Row i needs a v with 1 at place i and zeros else."""
    x = x.detach().requires_grad_()
    f(x).sum().backward()
    return x.grad


def kept_adding(f, x):
    """From the second row on, the rows before are in it: `backward` adds to `.grad`. Clear it before each row, or
    use `torch.autograd.grad`, which returns the gradient and stores nothing."""
    x = x.detach().requires_grad_()
    y, rows = f(x), []
    for v in torch.eye(len(y), dtype=y.dtype):
        y.backward(v, retain_graph=True)
        rows.append(x.grad.clone())
    return torch.stack(rows)


def one_tensor_many_times(f, x):
    """Every row is the sum of all rows: as with a v of ones, or where each entry of a list is `x.grad` itself, one
    tensor that every `backward` adds to. Send one v back for each row, by `torch.autograd.grad`, or clear and
    clone."""
    x = x.detach().requires_grad_()
    y, rows = f(x), []
    for v in torch.eye(len(y), dtype=y.dtype):
        y.backward(v, retain_graph=True)
        rows.append(x.grad)
    return torch.stack(rows)


def one_tensor_cleared(f, x):
    """Every row is the last one: as where each entry of a list is the same tensor, `x.grad`, cleared by `zero_` and
    filled anew. Keep a clone, or use `torch.autograd.grad`, which returns a new tensor each time."""
    x = x.detach().requires_grad_()
    y, rows = f(x), []
    for v in torch.eye(len(y), dtype=y.dtype):
        if x.grad is not None:
            x.grad.zero_()
        y.backward(v, retain_graph=True)
        rows.append(x.grad)
    return torch.stack(rows)


jacobian = Exercise(
    jacobian,
    inputs=vector_functions,
    probe=without_torch_func,
    mistakes=(as_columns, asked_for_all_outputs, kept_adding, one_tensor_many_times, one_tensor_cleared),
    hints=(
        "Make a leaf first, `x = x.detach().requires_grad_()`, then `y = f(x)`, once.",
        "`torch.autograd.grad(y, x, v)` returns a tuple of one tensor: v times the Jacobian. Which v gives row i?",
        "Every call but the last needs `retain_graph=True`; `torch.stack(rows)` makes the matrix.",
    ),
)


def regressions(seed: int) -> list[tuple]:
    """Return the arguments (w, x, y, size) of each case, float64.

    A short last piece, one piece, pieces of one, equal pieces, a size above the batch. The weights carry a
    gradient of an earlier step: of size 1, then one beside which the digits of the answer are lost, then none.
    """
    draw = torch.Generator().manual_seed(seed)
    cases = []
    sizes = ((7, 2, 3, 1.0), (4, 3, 4, 1.0), (5, 2, 1, 1.0), (6, 2, 2, 1.0), (3, 1, 8, 1.0))
    for rows, features, size, before in (*sizes, (5, 2, 2, 1e12), (4, 2, 3, None)):
        w, x, y = (
            torch.randn(*shape, generator=draw, dtype=torch.float64)
            for shape in ((features,), (rows, features), (rows,))
        )
        w.requires_grad_().grad = None if before is None else torch.full_like(w, before)
        cases.append((w, x, y, size))
    return cases


def one_piece_at_a_time(answer: Callable, w: torch.Tensor, x: torch.Tensor, y: torch.Tensor, size: int) -> dict:
    """Drive an answer: its gradient, and whether its graphs never kept more than `size` rows of x at once."""
    alive, most = weakref.WeakSet(), 0

    class Kept:
        def __init__(self, tensor):
            nonlocal most
            self.tensor = tensor.detach()
            alive.add(self)
            most = max(most, sum(len(kept.tensor) for kept in alive if kept.tensor.dim() == 2))

    with torch.autograd.graph.saved_tensors_hooks(Kept, lambda kept: kept.tensor):
        gradient = answer(w, x, y, size)
    return {"the gradient": gradient, "at most `size` rows in any one graph": most <= size}


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
    """The right numbers, but all rows were kept at once: by one graph over the whole batch, or by losses that are
    added up and walked back only at the end. One piece, one graph, one `backward`, inside the loop."""
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
    hints=(
        "`backward` adds to `w.grad`: clear it once, call `backward` once for each piece, return it at the end.",
        "`for start in range(0, len(y), size)` and the slice `start : start + size` give the pieces.",
        "7 rows in pieces of 3, 3 and 1: what must each piece's *sum* be divided by, to add up to the mean of 7?",
    ),
)


def sides(seed: int) -> list[tuple]:
    """Return (x, y, v), float64: two sides and what arrives from above; a matrix, a vector, one element, none.

    Then large ones, small ones, and some of 0.
    """
    draw = torch.Generator().manual_seed(seed)
    cases = [
        tuple(scale * (torch.randn(*shape, generator=draw, dtype=torch.float64) + 0.1) for _ in range(3))
        for shape, scale in (((2, 3), 1), ((5,), 1), ((1,), 1), ((0,), 1), ((4, 1), 30), ((3,), 1e-4), ((4,), 1))
    ]
    x, y, _ = cases[-1]
    x[0] = y[1] = x[2] = 0
    return cases


def inside_a_function(answer: Callable, x: torch.Tensor, y: torch.Tensor, v: torch.Tensor) -> dict:
    """Use the answer as the `backward` of the chapter's Hypot: both gradients, and the gradients of their sum."""

    class Hypot(torch.autograd.Function):
        @staticmethod
        def forward(x, y):
            return torch.sqrt(x * x + y * y)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs, output)

        @staticmethod
        def backward(ctx, grad):
            return answer(ctx, grad)

    x, y, v = (tensor.detach().requires_grad_() for tensor in (x, y, v))
    arrives = 1 * v  # no leaf: altering it in place must not be the error
    first = torch.autograd.grad(Hypot.apply(x, y), (x, y), arrives, create_graph=True)
    second = None, None, None
    if torch.equal(arrives, v):
        total = first[0].sum() + 2 * first[1].sum() + 0 * v.sum()  # tied to the graph even where the answer is not
        second = torch.autograd.grad(total, (x, y, v), materialize_grads=True)
    return {
        "`grad` after the call": arrives.detach(),
        "the gradient of x": first[0].detach(),
        "the gradient of y": first[1].detach(),
        "differentiated again by x": second[0],
        "differentiated again by y": second[1],
        "differentiated again by `grad`": second[2],
    }


def hypot_backward(ctx, grad):
    """x / out and y / out are the slopes; what arrives is multiplied by them."""
    x, y, out = ctx.saved_tensors
    return grad * x / out, grad * y / out


def forgot_what_arrives(ctx, grad):
    """These are the slopes of hypot alone. The chain rule multiplies them by what arrives from above: `grad`."""
    x, y, out = ctx.saved_tensors
    return x / out + 0 * grad, y / out + 0 * grad


def swapped(ctx, grad):
    """Swapped: return one gradient for each argument of `forward`, in the same order, x first."""
    x, y, out = ctx.saved_tensors
    return grad * y / out, grad * x / out


def a_two_too_many(ctx, grad):
    """Twice too large: the 2 from x² cancels against the ½ from the root."""
    x, y, out = ctx.saved_tensors
    return 2 * grad * x / out, 2 * grad * y / out


def only_the_root(ctx, grad):
    """You differentiated the root and stopped there. Inside it stands x² + y², with the slopes 2x and 2y."""
    _, _, out = ctx.saved_tensors
    return grad / (2 * out), grad / (2 * out)


def cut_the_graph(ctx, grad):
    """The gradients are right, but differentiated again by x and y they give 0: the saved tensors were cut off, as
    by `detach` or `.data`, and a second derivative comes out wrong without a word. Take them as they are."""
    x, y, out = (tensor.detach() for tensor in ctx.saved_tensors)
    return grad * x / out, grad * y / out


def cut_off_altogether(ctx, grad):
    """The gradients are right, but nothing can be differentiated through them: they hang on no graph, as under
    `no_grad` or after `detach`, and a second derivative comes out wrong without a word. Compute them plainly."""
    x, y, out = ctx.saved_tensors
    with torch.no_grad():
        scale = grad / out
        return x * scale, y * scale


hypot_backward = Exercise(
    hypot_backward,
    inputs=sides,
    probe=inside_a_function,
    mistakes=(forgot_what_arrives, swapped, a_two_too_many, only_the_root, cut_the_graph, cut_off_altogether),
    hints=(
        "Unpack first: `x, y, out = ctx.saved_tensors`.",
        "By hand: the slope of √(x² + y²) against x is 2x / (2√(x² + y²)), that is x / out.",
        "Multiply each slope by `grad`, and return two tensors, x's first.",
    ),
)
