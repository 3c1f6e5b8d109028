# %% right_clones: In place on copies, with the fused operations.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = average.clone().mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
    moved = parameter.clone().addcdiv_(grad, new.sqrt().add_(eps), value=-lr)
    return moved, new


# %% right_lerp: lerp for the average, float_power for the root.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = torch.lerp(average, grad.square(), 1 - alpha)
    return torch.sub(parameter, torch.div(grad, new.pow(0.5) + eps), alpha=lr), new


# %% right_numpy: NumPy in float64 in between, cast back to the dtypes that came in.
import numpy as np
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    p, g, s = (t.detach().numpy().astype(np.float64) for t in (parameter, grad, average))
    s = s + (1 - alpha) * (np.square(g) - s)
    p = p - lr / (np.sqrt(s) + eps) * g
    return torch.as_tensor(p).to(parameter.dtype), torch.as_tensor(s).to(average.dtype)


# %% right_one_by_one: Number by number in plain Python, back into the shape.
import math

import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    moved, new = torch.empty_like(parameter), torch.empty_like(average)
    flat = zip(parameter.flatten().tolist(), grad.flatten().tolist(), average.flatten().tolist())
    pairs = []
    for p, g, s in flat:
        s = alpha * s + (1 - alpha) * g * g
        pairs.append((p - lr * g / (math.sqrt(s) + eps), s))
    if pairs:
        first, second = zip(*pairs)
        moved.copy_(torch.tensor(first, dtype=torch.float64).view(moved.shape))
        new.copy_(torch.tensor(second, dtype=torch.float64).view(new.shape))
    return moved, new


# %% right_torchs_optimizer: PyTorch's optimizer on a copy, its state filled by hand.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    copy = parameter.detach().clone().requires_grad_()
    copy.grad = grad.detach().clone()
    optimizer = torch.optim.RMSprop([copy], lr=lr, alpha=alpha, eps=eps)
    optimizer.state[copy] = {"step": torch.tensor(0.0), "square_avg": average.detach().clone()}
    optimizer.step()
    return copy.detach(), optimizer.state[copy]["square_avg"]


# %% wrong_alpha_one: Hands back the old average itself where alpha is 1 and nothing would change.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = average if alpha == 1 else alpha * average + (1 - alpha) * grad**2
    return parameter - lr * grad / (new.sqrt() + eps), new


# %% wrong_average_in_place: Renews the caller's average in place and hands it back.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    average.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
    return parameter - lr * grad / (average.sqrt() + eps), average


# %% wrong_average_of_sizes: Averages the sizes of the gradient instead of their squares.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = (alpha * average.sqrt() + (1 - alpha) * grad.abs()) ** 2
    return parameter - lr * grad / (new.sqrt() + eps), new


# %% wrong_corrected: Corrects for the start as Adam's first step does.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    hat = new / (1 - alpha)
    return parameter - lr * grad / (hat.sqrt() + eps), new


# %% wrong_decayed: Pulls the parameter towards 0 as well.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    return parameter * (1 - lr * 0.01) - lr * grad / (new.sqrt() + eps), new


# %% wrong_eps_as_floor: Takes eps as the least divisor instead of adding it.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad.pow(2)
    return parameter - lr * grad / new.sqrt().clamp(min=eps), new


# %% wrong_eps_fixed: Uses the usual 1e-8 whatever eps is.
def rmsprop_step(parameter, grad, average, lr, alpha, eps=1e-8):
    new = average * alpha + grad * grad * (1 - alpha)
    return parameter - lr * grad / (new**0.5 + 1e-8), new


# %% wrong_eps_inside: Adds eps under the root.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad.square()
    return parameter - lr * grad / torch.sqrt(new + eps), new


# %% wrong_flat_view: Works on flat views, which a transposed tensor does not have.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    p, g, s = (tensor.view(-1) for tensor in (parameter, grad, average))
    s = alpha * s + (1 - alpha) * g * g
    p = p - lr * g / (s.sqrt() + eps)
    return p.view(parameter.shape), s.view(average.shape)


# %% wrong_flattened: Gives flat tensors, whatever the shape was.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    p, g, s = parameter.flatten(), grad.flatten(), average.flatten()
    s = alpha * s + (1 - alpha) * g * g
    return p - lr * g / (s.sqrt() + eps), s


# %% wrong_float32: Turns both results into float32, whatever came in.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    parameter, grad, average = parameter.float(), grad.float(), average.float()
    new = alpha * average + (1 - alpha) * grad**2
    return parameter - lr * grad / (new.sqrt() + eps), new


# %% wrong_grad_in_place: Squares the caller's gradient in place; both results are right.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    slope = grad.clone()
    new = alpha * average + (1 - alpha) * grad.square_()
    return parameter - lr * slope / (new.sqrt() + eps), new


# %% wrong_no_eps: Leaves eps out: 0 divided by 0 where gradient and average are 0.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad.pow(2)
    return parameter - lr * grad * new.rsqrt(), new


# %% wrong_old_average: Steps with the old average, and renews it afterwards.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    moved = parameter - lr * grad / (average.sqrt() + eps)
    return moved, torch.lerp(grad**2, average, alpha)


# %% wrong_one_average: One average for all numbers: the mean of the squared gradient.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad.square().mean()
    return parameter - lr * grad / (new.sqrt() + eps), new


# %% wrong_own_memory: Keeps the average between calls in a global, and after the first call does not look at the argument.
memory = {}


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    old = memory.get(parameter.shape, average)
    new = memory[parameter.shape] = alpha * old + (1 - alpha) * grad**2
    return parameter - lr * grad / (new.sqrt() + eps), new.clone()


# %% wrong_parameter_in_place: Moves the caller's parameter, as an optimizer does.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad * grad
    parameter -= lr * grad / (new.sqrt() + eps)
    return parameter, new


# %% wrong_rate_floor: Divides the gradient, not the rate, and leaves gradients smaller than eps alone.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    root = new.sqrt()
    scaled = torch.where(root > eps, grad / root, torch.zeros_like(grad))
    return parameter - lr * scaled, new


# %% wrong_rows: Goes along the first axis number by number: right for vectors only.
import math

import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = [alpha * float(s) + (1 - alpha) * float(g) ** 2 for s, g in zip(average, grad)]
    moved = [float(p) - lr * float(g) / (math.sqrt(s) + eps) for p, g, s in zip(parameter, grad, new)]
    return torch.tensor(moved), torch.tensor(new)


# %% wrong_stacked: Both results as the rows of one tensor instead of a pair.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    return torch.stack((parameter - lr * grad / (new.sqrt() + eps), new))


# %% wrong_swapped_pair: Gives the average first and the parameter second.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    return new, parameter - lr * grad / (new.sqrt() + eps)


# %% wrong_with_momentum: Steps along a mean of the gradient too, as Adam does.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    m = (1 - alpha) * grad
    return parameter - lr * m / (new.sqrt() + eps), new


# %% wrong_zero_gradient: Hands back the old parameter itself where the gradient is all zeros.
def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    if not grad.any():
        return parameter, alpha * average
    new = alpha * average + (1 - alpha) * grad**2
    return parameter - lr * grad / (new.sqrt() + eps), new
