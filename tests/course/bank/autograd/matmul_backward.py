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
