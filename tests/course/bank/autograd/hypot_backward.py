# %% right_angle: Cosine and sine of the angle from atan2.
import torch


def hypot_backward(ctx, grad):
    x, y, _ = ctx.saved_tensors
    angle = torch.atan2(y, x)
    return grad * torch.cos(angle), grad * torch.sin(angle)


# %% right_complex: The sides as one complex number divided by its length.
import torch


def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    direction = torch.complex(x, y) / out * grad
    return direction.real, direction.imag


# %% right_recomputed: Does not use out, but computes the length again with torch.hypot.
import torch


def hypot_backward(ctx, grad):
    x, y, _ = ctx.saved_tensors
    length = torch.hypot(x, y)
    return tuple(grad * side / length for side in (x, y))


# %% right_stack_unbind: Both sides in one stacked tensor, taken apart at the end.
import torch


def hypot_backward(ctx, grad):
    *sides, out = ctx.saved_tensors
    return torch.unbind(torch.einsum("k...,...,...->k...", torch.stack(sides), grad, out.reciprocal()))


# %% right_vjp: The vector-Jacobian product of the formula, by torch.func.
import torch


def hypot_backward(ctx, grad):
    x, y, _ = ctx.saved_tensors
    _, back = torch.func.vjp(lambda a, b: (a * a + b * b).sqrt(), x, y)
    return back(grad)


# %% wrong_arctan: The angle by atan(y / x), which knows only the right half of the plane.
import torch


def hypot_backward(ctx, grad):
    x, y, _ = ctx.saved_tensors
    angle = torch.atan(y / x)
    return grad * torch.cos(angle), grad * torch.sin(angle)


# %% wrong_arrived_altered: Divides the arriving gradient by out in place: it belongs to the caller.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    grad /= out
    return grad * x, grad * y


# %% wrong_clamped: Clamps out from below: a small hypotenuse gets a smaller slope.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    length = out.clamp(min=1e-3)
    return grad * x / length, grad * y / length


# %% wrong_eps: Guards the division with 10⁻⁶, which matters for a small out.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    factor = grad / (out + 1e-6)
    return x * factor, y * factor


# %% wrong_float32: Computes in float32, which costs a float64 input its digits.
def hypot_backward(ctx, grad):
    x, y, out = (t.float() for t in ctx.saved_tensors)
    return (grad.float() * x / out).to(grad.dtype), (grad.float() * y / out).to(grad.dtype)


# %% wrong_grad_detached: Takes what arrives as a constant, though it depends on x and y as soon as something follows.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    arrived = grad.detach()
    return arrived * x / out, arrived * y / out


# %% wrong_half: Forgets the 2 from the square, but keeps the 2 of the root.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    return grad * x / (2 * out), grad * y / (2 * out)


# %% wrong_in_place: Saves memory with mul_ on grad: the second gradient starts from the first.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    grad_x = grad.mul_(x / out)
    return grad_x, grad * y / out


# %% wrong_inner_grad: Lets autograd do it inside on detached copies: no second slope.
import torch


def hypot_backward(ctx, grad):
    x, y, _ = ctx.saved_tensors
    with torch.enable_grad():
        x, y = x.detach().requires_grad_(), y.detach().requires_grad_()
        out = (x**2 + y**2).sqrt()
    return torch.autograd.grad(out, (x, y), grad)


# %% wrong_no_grad: Computes under no_grad: cannot be differentiated again.
import torch


def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    with torch.no_grad():
        return grad * x / out, grad * y / out


# %% wrong_once: Declares itself differentiable once only.
from torch.autograd.function import once_differentiable


@once_differentiable
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    return grad * (x / out), grad * (y / out)


# %% wrong_order_saved: Unpacks what was saved in another order.
def hypot_backward(ctx, grad):
    out, x, y = ctx.saved_tensors
    return grad * x / out, grad * y / out


# %% wrong_other_constant: Each side's slope takes the other side for a constant saved number.
def hypot_backward(ctx, grad):
    x, y, _ = ctx.saved_tensors
    return grad * x / (x**2 + y.detach() ** 2).sqrt(), grad * y / (x.detach() ** 2 + y**2).sqrt()


# %% wrong_out_detached: Takes out as a constant: the second slopes lack a part.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    scale = grad / out.detach()
    return scale * x, scale * y


# %% wrong_root_of_share: Sign times √(1 − (y / out)²): right slopes, but the slope of the root at 0 is infinite.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    grad_x = grad * x.sign() * (1 - (y / out) ** 2).clamp(min=0).sqrt()
    grad_y = grad * y.sign() * (1 - (x / out) ** 2).clamp(min=0).sqrt()
    return grad_x, grad_y


# %% wrong_rows: Walks over the first axis, which a single number does not have.
import torch


def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    grad_x = torch.stack([g * a / o for g, a, o in zip(grad, x, out)])
    grad_y = torch.stack([g * b / o for g, b, o in zip(grad, y, out)])
    return grad_x, grad_y


# %% wrong_sign_lost: The side from the theorem of Pythagoras: always positive.
import torch


def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    return grad * torch.sqrt(out**2 - y**2) / out, grad * torch.sqrt(out**2 - x**2) / out


# %% wrong_stacked: One tensor with both gradients instead of two.
import torch


def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    return torch.stack((x, y)) * (grad / out)


# %% wrong_summed: Reduces what arrives to one number.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    return grad.sum() * x / out, grad.sum() * y / out


# %% wrong_swapped: Returns the gradient of y first.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    x, y = y, x
    return grad * x / out, grad * y / out


# %% wrong_without_grad: Leaves out what arrives: right only for a sum.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    return x / out, y / out


# %% wrong_zero_side: Sets the slope of a side of 0 to a constant 0: its own slope 1 / out is lost.
import torch


def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    zero = torch.zeros_like(grad)
    return torch.where(x == 0, zero, grad * x / out), torch.where(y == 0, zero, grad * y / out)
