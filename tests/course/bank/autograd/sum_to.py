# %% right_one_sum: All axes at once, then the shape; the empty list of axes is minded.
def sum_to(grad, shape):
    extra = grad.dim() - len(shape)
    axes = [*range(extra), *(extra + i for i, size in enumerate(shape) if size == 1)]
    return (grad.sum(dim=axes) if axes else grad).reshape(shape)


# %% right_from_the_right: Pads the shape with ones in front and compares from there.
def sum_to(grad, shape):
    padded = (1,) * (grad.ndim - len(shape)) + tuple(shape)
    for axis, (had, has) in enumerate(zip(padded, grad.shape)):
        if had != has:
            grad = grad.sum(axis, keepdim=True)
    return grad.view(shape) if grad.is_contiguous() else grad.reshape(shape)


# %% right_matrix_of_ones: Flattens what is to be summed with an index of where each place came from.
import torch


def sum_to(grad, shape):
    count = 1
    for size in shape:
        count *= size
    where = torch.arange(count).reshape(shape).expand(grad.shape).reshape(-1)
    total = torch.zeros(count, dtype=grad.dtype)
    return total.index_add(0, where, grad.reshape(-1)).reshape(shape)


# %% right_einsum: Names the axes and lets einsum sum what is left out.
import torch


def sum_to(grad, shape):
    letters = "abcdefghij"[: grad.dim()]
    extra = grad.dim() - len(shape)
    kept = "".join(letters[extra + i] for i, size in enumerate(shape) if size != 1)
    return torch.einsum(f"{letters}->{kept}", grad).reshape(shape)


# %% wrong_front_only: Sums the axes in front only.
def sum_to(grad, shape):
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    return grad


# %% wrong_keepdim_forgotten: Axes of size 1 are summed away and not kept.
def sum_to(grad, shape):
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    for axis in reversed(range(len(shape))):
        if shape[axis] == 1:
            grad = grad.sum(axis)
    return grad


# %% wrong_from_the_left: Aligns the shapes on the left.
def sum_to(grad, shape):
    padded = tuple(shape) + (1,) * (grad.dim() - len(shape))
    for axis, size in enumerate(padded):
        if size == 1 and grad.shape[axis] != 1:
            grad = grad.sum(axis, keepdim=True)
    return grad.reshape(shape)


# %% wrong_by_size: Looks for axes whose size does not stand in the shape.
def sum_to(grad, shape):
    for axis in reversed(range(grad.dim())):
        if grad.shape[axis] not in shape:
            grad = grad.sum(axis, keepdim=True)
    return grad.reshape(shape)


# %% wrong_empty_axes: An empty list of axes sums everything where nothing was broadcast.
def sum_to(grad, shape):
    extra = grad.dim() - len(shape)
    axes = tuple(i for i in range(grad.dim()) if i < extra or shape[i - extra] == 1)
    return grad.sum(dim=axes).reshape(shape)


# %% wrong_mean: Averages over the uses.
def sum_to(grad, shape):
    while grad.dim() > len(shape):
        grad = grad.mean(0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.mean(axis, keepdim=True)
    return grad


# %% wrong_sum_to_size: PyTorch's own, which the task rules out.
def sum_to(grad, shape):
    return grad.sum_to_size(shape)


# %% wrong_by_autograd: Broadcasts and lets PyTorch walk back.
import torch


def sum_to(grad, shape):
    x = torch.zeros(shape, dtype=grad.dtype, requires_grad=True)
    return torch.autograd.grad(x.expand(grad.shape), x, grad)[0]


# %% wrong_by_vjp: The same by torch.func.
import torch


def sum_to(grad, shape):
    return torch.func.vjp(lambda t: t.expand(grad.shape), torch.zeros(shape, dtype=grad.dtype))[1](grad)[0]


# %% wrong_view: Reshapes what is not contiguous with view.
def sum_to(grad, shape):
    extra = grad.dim() - len(shape)
    front = 1
    for size in grad.shape[:extra]:
        front *= size
    grad = grad.view(front, *grad.shape[extra:]).sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis, keepdim=True)
    return grad


# %% wrong_float32: The running sum is float32.
import torch


def sum_to(grad, shape):
    total = grad.to(torch.float32)
    while total.dim() > len(shape):
        total = total.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            total = total.sum(axis, keepdim=True)
    return total.to(grad.dtype)


# %% wrong_float64: Sums in float64 and leaves it so.
def sum_to(grad, shape):
    total = grad.double()
    while total.dim() > len(shape):
        total = total.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            total = total.sum(axis, keepdim=True)
    return total


# %% wrong_one_axis: Sums the first axis of size 1 and stops.
def sum_to(grad, shape):
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    for axis, size in enumerate(shape):
        if size == 1 and grad.shape[axis] != 1:
            return grad.sum(axis, keepdim=True)
    return grad


# %% wrong_in_place: Adds the slices up in the first one, which belongs to the caller.
def sum_to(grad, shape):
    while grad.dim() > len(shape):
        if len(grad) == 0:
            grad = grad.sum(0)
            continue
        first = grad[0]
        for other in grad[1:]:
            first += other
        grad = first
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis, keepdim=True)
    return grad


# %% wrong_first_slice_of_empty: Starts from the first slice, which an empty axis does not have.
def sum_to(grad, shape):
    while grad.dim() > len(shape):
        total = grad[0].clone()
        for other in grad[1:]:
            total = total + other
        grad = total
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis, keepdim=True)
    return grad


# %% wrong_nothing_for_empty: Returns what comes in where it has no elements.
def sum_to(grad, shape):
    if grad.numel() == 0:
        return grad
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis, keepdim=True)
    return grad
