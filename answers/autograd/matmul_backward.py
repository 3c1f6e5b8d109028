# %% right_einsum: Both products by einsum, then summed to the shapes.
import torch


def matmul_backward(a, b, grad):
    to_a = torch.einsum("...nm,...km->...nk", grad, b)
    to_b = torch.einsum("...nk,...nm->...km", a, grad)
    return to_a.sum_to_size(a.shape), to_b.sum_to_size(b.shape)


# %% right_own_sum: With a sum_to of the cell before, and transpose(-1, -2).
import torch


def sum_to(grad, shape):
    for _ in range(grad.dim() - len(shape)):
        grad = grad.sum(dim=0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(dim=axis, keepdim=True)
    return grad


def matmul_backward(a, b, grad):
    return (
        sum_to(torch.matmul(grad, b.transpose(-1, -2)), tuple(a.shape)),
        sum_to(torch.matmul(a.transpose(-1, -2), grad), tuple(b.shape)),
    )


# %% right_products_and_sums: Without a matrix product: every product written out, then summed over the shared axis.
def matmul_backward(a, b, grad):
    to_a = (grad.unsqueeze(-2) * b.unsqueeze(-3)).sum(-1)
    to_b = (a.unsqueeze(-1) * grad.unsqueeze(-2)).sum(-3)
    return to_a.sum_to_size(a.shape), to_b.sum_to_size(b.shape)


# %% right_transposed_whole: (grad @ b.mT) as (b @ grad.mT).mT.
def matmul_backward(a, b, grad):
    pair = (b @ grad.mT).mT, (grad.mT @ a).mT
    return tuple(g.sum_to_size(side.shape) for g, side in zip(pair, (a, b)))


# %% wrong_not_transposed: The factors as they are: right shapes only where everything is square.
def matmul_backward(a, b, grad):
    return (grad @ b).sum_to_size(a.shape), (a @ grad).sum_to_size(b.shape)


# %% wrong_grad_on_the_other_side: b.mT @ grad: fits for square matrices, and is another product.
def matmul_backward(a, b, grad):
    return (b.mT @ grad).sum_to_size(a.shape), (grad @ a.mT).sum_to_size(b.shape)


# %% wrong_shape_decides: Tries one side and takes the other where the shapes do not fit.
def matmul_backward(a, b, grad):
    try:
        to_a = (b.mT @ grad).sum_to_size(a.shape)
    except RuntimeError:
        to_a = (grad @ b.mT).sum_to_size(a.shape)
    return to_a, (a.mT @ grad).sum_to_size(b.shape)


# %% wrong_all_axes_reversed: permutes all axes, the batch too.
def matmul_backward(a, b, grad):
    def turned(t):
        return t.permute(*reversed(range(t.dim())))

    return (grad @ turned(b)).sum_to_size(a.shape), (turned(a) @ grad).sum_to_size(b.shape)


# %% wrong_first_two_axes: transpose(0, 1) exchanges the batch with the rows.
def matmul_backward(a, b, grad):
    return (grad @ b.transpose(0, 1)).sum_to_size(a.shape), (a.transpose(0, 1) @ grad).sum_to_size(b.shape)


# %% wrong_front_axes_only: Sums the batch axes in front, not those of size 1.
def matmul_backward(a, b, grad):
    to_a, to_b = grad @ b.mT, a.mT @ grad
    while to_a.dim() > a.dim():
        to_a = to_a.sum(0)
    while to_b.dim() > b.dim():
        to_b = to_b.sum(0)
    return to_a, to_b


# %% wrong_only_b: Sums for b, the usual weight, and leaves a.
def matmul_backward(a, b, grad):
    return grad @ b.mT, (a.mT @ grad).sum_to_size(b.shape)


# %% wrong_sum_of_all_batches: Sums the batch axes of both, though only a factor without them was broadcast.
def matmul_backward(a, b, grad):
    to_a, to_b = grad @ b.mT, a.mT @ grad
    return to_a.flatten(0, -3).sum(0) if to_a.dim() > 2 else to_a, to_b.flatten(0, -3).sum(
        0
    ) if to_b.dim() > 2 else to_b


# %% wrong_mean_of_batches: Averages over the batch.
def matmul_backward(a, b, grad):
    to_a, to_b = grad @ b.mT, a.mT @ grad
    batches = max(1, grad.numel() // max(1, grad.shape[-1] * grad.shape[-2]))
    to_a = to_a.sum_to_size(a.shape) / (batches if a.dim() < grad.dim() else 1)
    to_b = to_b.sum_to_size(b.shape) / (batches if b.dim() < grad.dim() else 1)
    return to_a, to_b


# %% wrong_elementwise: Each factor times what arrives.
def matmul_backward(a, b, grad):
    return grad.sum(-1, keepdim=True) * b.sum(-1), (a.sum(-2).unsqueeze(-1)) * grad.sum(-2)


# %% wrong_autograd: PyTorch's own way back.
import torch


def matmul_backward(a, b, grad):
    a, b = a.detach().requires_grad_(), b.detach().requires_grad_()
    return torch.autograd.grad(a @ b, (a, b), grad)


# %% wrong_vjp: PyTorch's own, by torch.func.
import torch


def matmul_backward(a, b, grad):
    return torch.func.vjp(torch.matmul, a, b)[1](grad)


# %% wrong_backward_method: PyTorch's own, by the method of a tensor.
def matmul_backward(a, b, grad):
    a, b = a.detach().requires_grad_(), b.detach().requires_grad_()
    (a @ b).backward(grad)
    return a.grad, b.grad


# %% wrong_view_of_columns: Flattens with view what need not be contiguous.
def matmul_backward(a, b, grad):
    if a.dim() > 2 and b.dim() == 2:
        rows, arriving = a.view(-1, a.shape[-1]), grad.view(-1, grad.shape[-1])
        return grad @ b.T, rows.T @ arriving
    return (grad @ b.mT).sum_to_size(a.shape), (a.mT @ grad).sum_to_size(b.shape)


# %% wrong_float32: Multiplies in float32, as if that were enough.
def matmul_backward(a, b, grad):
    x, y, g = a.float(), b.float(), grad.float()
    return (g @ y.mT).sum_to_size(a.shape).to(a.dtype), (x.mT @ g).sum_to_size(b.shape).to(b.dtype)


# %% wrong_double: Returns float64 whatever came in.
def matmul_backward(a, b, grad):
    x, y, g = a.double(), b.double(), grad.double()
    return (g @ y.mT).sum_to_size(a.shape), (x.mT @ g).sum_to_size(b.shape)


# %% wrong_inverse: Divides: the inverse in place of the transpose.
def matmul_backward(a, b, grad):
    return (grad @ b.pinverse()).sum_to_size(a.shape), (a.pinverse() @ grad).sum_to_size(b.shape)


# %% wrong_all_axes_T: Turns all axes around, not only the last two
import torch


def matmul_backward(a, b, grad):
    ga = grad @ b.permute(*range(b.ndim)[::-1])
    gb = a.permute(*range(a.ndim)[::-1]) @ grad
    return ga.sum_to_size(a.shape), gb.sum_to_size(b.shape)


# %% wrong_leading_only: Sums the missing batch axes but not those of size 1
import torch


def matmul_backward(a, b, grad):
    def fit(g, t):
        while g.ndim > t.ndim:
            g = g.sum(0)
        return g

    return fit(grad @ b.mT, a), fit(a.mT @ grad, b)


# %% wrong_greater: A batch axis of 1 broadcast to 0 is not brought back to 1
import torch


def matmul_backward(a, b, grad):
    def fit(g, t):
        while g.ndim > t.ndim:
            g = g.sum(0)
        for i in range(t.ndim):
            if g.shape[i] > t.shape[i]:
                g = g.sum(i, keepdim=True)
        return g

    return fit(grad @ b.mT, a), fit(a.mT @ grad, b)


# %% wrong_flattened: Reshape with minus one for the batch, breaks on axes of size 0
import torch


def matmul_backward(a, b, grad):
    batch = grad.shape[:-2]
    n, k, m = a.shape[-2], a.shape[-1], b.shape[-1]
    A = a.expand(*batch, n, k).reshape(-1, n, k)
    B = b.expand(*batch, k, m).reshape(-1, k, m)
    G = grad.reshape(-1, n, m)
    ga = torch.bmm(G, B.mT).reshape(*batch, n, k)
    gb = torch.bmm(A.mT, G).reshape(*batch, k, m)
    return ga.sum_to_size(a.shape), gb.sum_to_size(b.shape)


# %% wrong_autograd_blind: Has autograd do it
import torch


def matmul_backward(a, b, grad):
    a, b = a.detach().requires_grad_(), b.detach().requires_grad_()
    with torch.enable_grad():
        return tuple(torch.autograd.grad(a @ b, (a, b), grad))


# %% wrong_float32_blind: Computes in float32, so the dtype of float64 tensors is lost
import torch


def matmul_backward(a, b, grad):
    a32, b32, g32 = a.float(), b.float(), grad.float()
    return (g32 @ b32.mT).sum_to_size(a.shape), (a32.mT @ g32).sum_to_size(b.shape)


# %% right_einsum_blind: Einsum with dots, then sum_to_size
import torch


def matmul_backward(a, b, grad):
    ga = torch.einsum("...nm,...km->...nk", grad, b)
    gb = torch.einsum("...nk,...nm->...km", a, grad)
    return ga.sum_to_size(a.shape).to(a.dtype), gb.sum_to_size(b.shape).to(b.dtype)


# %% right_products: Every single product spelled out by broadcasting, sums by hand
import torch


def matmul_backward(a, b, grad):
    def fit(g, t):
        full = (1,) * (g.ndim - t.ndim) + tuple(t.shape)
        for i, s in enumerate(full):
            if s != g.shape[i]:
                g = g.sum(i, keepdim=True, dtype=t.dtype)
        return g.reshape(t.shape)

    g = grad.unsqueeze(-2)  # ..., N, 1, M
    ga = (g * b.unsqueeze(-3)).sum(-1, dtype=a.dtype)  # ..., N, K
    gb = (g * a.unsqueeze(-1)).sum(-3, dtype=b.dtype)  # ..., K, M
    return fit(ga, a), fit(gb, b)


# %% right_loop: Adds into zeros, one pair of matrices at a time
import itertools
import torch


def matmul_backward(a, b, grad):
    ga, gb = torch.zeros(a.shape, dtype=a.dtype), torch.zeros(b.shape, dtype=b.dtype)
    batch = grad.shape[:-2]

    def own(t, index):
        front = t.shape[:-2]
        tail = index[len(index) - len(front) :]
        return tuple(0 if s == 1 else i for i, s in zip(tail, front))

    for index in itertools.product(*map(range, batch)):
        i, j = own(a, index), own(b, index)
        ga[i] += grad[index] @ b[j].transpose(0, 1)
        gb[j] += a[i].transpose(0, 1) @ grad[index]
    return ga, gb


# %% wrong_empty_is_zeros: Zeros for both where anything has no element.
import torch


def matmul_backward(a, b, grad):
    if not (a.numel() and b.numel() and grad.numel()):
        return torch.zeros_like(a), torch.zeros_like(a)
    return (grad @ b.mT).sum_to_size(a.shape), (a.mT @ grad).sum_to_size(b.shape)


# %% wrong_by_tensor: Keeps the gradients in a dict by tensor: one tensor on both sides has one place.
def matmul_backward(a, b, grad):
    found = {}
    found[a] = (grad @ b.mT).sum_to_size(a.shape)
    found[b] = (a.mT @ grad).sum_to_size(b.shape)
    return found[a], found[b]


# %% wrong_added_for_one: Where a and b are one tensor, returns its whole gradient twice.
def matmul_backward(a, b, grad):
    to_a, to_b = (grad @ b.mT).sum_to_size(a.shape), (a.mT @ grad).sum_to_size(b.shape)
    return (to_a + to_b, to_a + to_b) if a is b else (to_a, to_b)


# %% wrong_nan_cleared: Turns NaN into 0 before multiplying.
def matmul_backward(a, b, grad):
    grad = grad.nan_to_num()
    return (grad @ b.mT).sum_to_size(a.shape), (a.mT @ grad).sum_to_size(b.shape)


# %% wrong_stacked: Both in one tensor where they have one shape.
import torch


def matmul_backward(a, b, grad):
    pair = (grad @ b.mT).sum_to_size(a.shape), (a.mT @ grad).sum_to_size(b.shape)
    return torch.stack(pair) if a.shape == b.shape else pair


# %% right_block_diagonal: All batches in one large matrix with blocks along its diagonal.
import torch


def matmul_backward(a, b, grad):
    if grad.dim() != 3 or a.dim() != 3 or b.dim() != 3 or a.shape[0] != b.shape[0] or len(a) > 50:
        return (grad @ b.mT).sum_to_size(a.shape), (a.mT @ grad).sum_to_size(b.shape)
    n, k, m = len(a), a.shape[2], b.shape[2]
    big = torch.block_diag(*grad)
    to_a, to_b = big @ torch.block_diag(*b).T, torch.block_diag(*a).T @ big
    rows = a.shape[1]
    to_a = torch.stack([to_a[i * rows : (i + 1) * rows, i * k : (i + 1) * k] for i in range(n)])
    return to_a, torch.stack([to_b[i * k : (i + 1) * k, i * m : (i + 1) * m] for i in range(n)])


# %% wrong_one_batch_axis: Sums only the first batch axis.
def matmul_backward(a, b, grad):
    def fit(g, t):
        if g.dim() > t.dim():
            g = g.flatten(0, g.dim() - t.dim()) if False else g.sum(0)
        return g.sum(0, keepdim=True) if t.shape[0] == 1 and t.dim() > 2 else g

    return fit(grad @ b.mT, a), fit(a.mT @ grad, b)


# %% wrong_only_expanded_by_grad: Sums where grad has more elements than the factor's batch.
def matmul_backward(a, b, grad):
    def fit(g, t):
        return g.sum_to_size(t.shape) if g.numel() > t.numel() else g

    return fit(grad @ b.mT, a), fit(a.mT @ grad, b)


# %% right_list: A list of two.
def matmul_backward(a, b, grad):
    return [(grad @ b.mT).sum_to_size(a.shape), (a.mT @ grad).sum_to_size(b.shape)]


# %% right_numpy: By NumPy, summed over the axes that differ.
import numpy
import torch


def matmul_backward(a, b, grad):
    def fit(g, t):
        g = g.sum(axis=tuple(range(g.ndim - t.dim())))
        ones = tuple(i for i, size in enumerate(t.shape[:-2]) if size == 1)
        return torch.as_tensor(g.sum(axis=ones, keepdims=True)).to(t.dtype)

    x, y, g = (t.double().numpy() for t in (a, b, grad))
    return fit(numpy.matmul(g, y.swapaxes(-1, -2)), a), fit(numpy.matmul(x.swapaxes(-1, -2), g), b)


# %% right_without_recording: The products under `no_grad`, which records nothing.
import torch


def matmul_backward(a, b, grad):
    with torch.no_grad():
        to_a, to_b = grad @ b.transpose(-2, -1), a.transpose(-2, -1) @ grad
    return to_a.sum_to_size(a.shape), to_b.sum_to_size(b.shape)
