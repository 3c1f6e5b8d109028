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


# %% wrong_leading_only: Sums only the axes in front, not those of size 1
import torch


def sum_to(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(0)
    return grad


# %% wrong_empty_dims: Sum over an empty tuple of axes sums everything when the shapes are equal
import torch


def sum_to(grad, shape):
    k = grad.ndim - len(shape)
    dims = tuple(range(k)) + tuple(k + i for i, s in enumerate(shape) if s == 1)
    return grad.sum(dim=dims, keepdim=True).reshape(grad.sum(dim=dims, keepdim=True).shape[k:])


# %% wrong_greater: Sums a size-1 axis only where grad is longer, so 1 broadcast to 0 stays 0
import torch


def sum_to(grad, shape):
    for _ in range(grad.ndim - len(shape)):
        grad = grad.sum(0, dtype=grad.dtype)
    for i, s in enumerate(shape):
        if grad.shape[i] > s:
            grad = grad.sum(i, keepdim=True, dtype=grad.dtype)
    return grad


# %% wrong_mask_matrix: One-hot matrix product, an inf or NaN somewhere spoils all other elements
import math
import torch


def sum_to(grad, shape):
    n = math.prod(shape)
    which = torch.arange(n).reshape(shape).expand(grad.shape).reshape(-1)
    mask = (which[None, :] == torch.arange(n)[:, None]).to(grad.dtype)
    return (mask @ grad.reshape(-1)).reshape(shape)


# %% wrong_in_place_blind: Gathers the sums inside grad itself
import torch


def sum_to(grad, shape):
    k = grad.ndim - len(shape)
    full = (1,) * k + tuple(shape)
    out = grad
    for i, s in enumerate(full):
        if s == 1 and out.shape[i] == 0:
            out = out.sum(i, keepdim=True, dtype=grad.dtype)
        elif s == 1:
            for j in range(1, out.shape[i]):
                out.select(i, 0).add_(out.select(i, j))
            out = out.narrow(i, 0, 1)
    return out.reshape(shape).clone()


# %% wrong_through_float32: Sums in float32, so float64 loses digits and large values overflow
import torch


def sum_to(grad, shape):
    g = grad.to(torch.float32)
    for _ in range(grad.ndim - len(shape)):
        g = g.sum(0)
    for i, s in enumerate(shape):
        if s == 1:
            g = g.sum(i, keepdim=True)
    return g.to(grad.dtype)


# %% right_one_sum_blind: One sum over a tuple of axes, guarded when there is none
import torch


def sum_to(grad, shape):
    full = (1,) * (grad.ndim - len(shape)) + tuple(shape)
    dims = [i for i, s in enumerate(full) if s == 1]
    return (grad.sum(dims, dtype=grad.dtype) if dims else grad.clone()).reshape(shape)


# %% right_einsum_blind: Einsum by axis numbers
import torch


def sum_to(grad, shape):
    k = grad.ndim - len(shape)
    keep = [k + i for i, s in enumerate(shape) if s != 1]
    out = torch.einsum(grad, list(range(grad.ndim)), keep)
    return out.to(grad.dtype).reshape(shape).clone()


# %% right_recursive: Recursion, one axis from the right at a time
import torch


def sum_to(grad, shape):
    def go(g, axis):
        if axis < -g.ndim:
            return g
        target = shape[axis] if -axis <= len(shape) else 1
        return go(g if target == g.shape[axis] else g.sum(axis, keepdim=True).to(grad.dtype), axis - 1)

    return go(grad, -1).reshape(tuple(shape))


# %% right_whole_numbers_promoted: Sums as torch does, which only whole numbers would notice.
def sum_to(grad, shape):
    for _ in range(grad.ndim - len(shape)):
        grad = grad.sum(0)
    for i, s in enumerate(shape):
        if s == 1:
            grad = grad.sum(i, keepdim=True)
    return grad


# %% wrong_nansum: Sums without NaN.
def sum_to(grad, shape):
    for _ in range(grad.dim() - len(shape)):
        grad = grad.nansum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.nansum(axis, keepdim=True)
    return grad


# %% wrong_running_sum: The last of a running total, whose last element an axis of size 0 does not have.
def sum_to(grad, shape):
    while grad.dim() > len(shape):
        grad = grad.cumsum(0)[-1]
    for axis, size in enumerate(shape):
        if size == 1 and grad.shape[axis] > 1:
            grad = grad.cumsum(axis).narrow(axis, grad.shape[axis] - 1, 1)
    return grad


# %% wrong_zero_is_sized: Takes an axis of size 0 for one that was broadcast.
def sum_to(grad, shape):
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    for axis, size in enumerate(shape):
        if size <= 1:
            grad = grad.sum(axis, keepdim=True)
    return grad


# %% wrong_nothing_if_as_many: Returns grad where the number of elements is the same, whatever its shape.
def sum_to(grad, shape):
    count = 1
    for size in shape:
        count *= size
    if count == grad.numel():
        return grad
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis, keepdim=True)
    return grad


# %% wrong_float16: Computes in float16 on the way.
def sum_to(grad, shape):
    total = grad.half()
    while total.dim() > len(shape):
        total = total.sum(0)
    for axis, size in enumerate(shape):
        if size == 1:
            total = total.sum(axis, keepdim=True)
    return total.to(grad.dtype)


# %% wrong_one_times_count: Takes the first use times their number, right where all are the same.
def sum_to(grad, shape):
    while grad.dim() > len(shape):
        grad = grad[:1].sum(0) * grad.shape[0]
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.narrow(axis, 0, min(1, grad.shape[axis])).sum(axis, keepdim=True) * grad.shape[axis]
    return grad


# %% wrong_differences: Sums by totals of everything before: a NaN spoils all that come later.
import torch


def sum_to(grad, shape):
    full = (1,) * (grad.dim() - len(shape)) + tuple(shape)
    axes = [axis for axis in range(grad.dim()) if full[axis] != 1]
    rest = [axis for axis in range(grad.dim()) if full[axis] == 1]
    count = 1
    for axis in rest:
        count *= grad.shape[axis]
    flat = grad.permute(axes + rest).reshape(-1)
    total = torch.cat([flat.new_zeros(1), flat.double().cumsum(0).to(flat.dtype)])
    ends = torch.arange(0, len(total), count) if count else torch.zeros(1 + shape.count(1), dtype=torch.int64)
    return total[ends].diff().reshape(shape)


# %% right_ones_einsum: Rows of ones contracted axis by axis.
import torch


def sum_to(grad, shape):
    full = (1,) * (grad.dim() - len(shape)) + tuple(shape)
    for axis, size in enumerate(full):
        if size == 1:
            ones = grad.new_ones(1, grad.shape[axis])
            grad = torch.tensordot(ones, grad, dims=([1], [axis])).movedim(0, axis)
    return grad.reshape(shape)


# %% right_numpy: NumPy's sum over a tuple of axes, in float64.
import torch


def sum_to(grad, shape):
    extra = grad.dim() - len(shape)
    axes = tuple(range(extra)) + tuple(extra + axis for axis, size in enumerate(shape) if size == 1)
    total = grad.double().numpy().sum(axis=axes).reshape(shape)
    return torch.as_tensor(total).to(grad.dtype)
