# %% right_eye: A list over the rows of an identity matrix, stacked at the end.
import torch


def numeric_gradient(f, x, eps):
    steps = eps * torch.eye(x.numel(), dtype=x.dtype)
    slopes = torch.zeros(x.numel(), dtype=x.dtype)
    for i, step in enumerate(steps):
        slopes[i] = f(x + step.view(x.shape)) - f(x - step.view(x.shape))
    return (slopes / (2 * eps)).view(x.shape)


# %% right_ndindex: NumPy's ndindex walks the places, and one copy is moved and put back from x.
import numpy
import torch


def numeric_gradient(f, x, eps):
    moved, result = x.clone(), torch.empty_like(x)
    for place in numpy.ndindex(*x.shape):
        moved[place] = x[place] + eps
        up = f(moved)
        moved[place] = x[place] - eps
        down = f(moved)
        moved[place] = x[place]
        result[place] = (up - down) / (2 * eps)
    return result


# %% right_recursive: Recursion over the first axis down to single numbers.
import torch


def numeric_gradient(f, x, eps):
    if x.dim() == 0:
        return ((f(x + eps) - f(x - eps)) / (2 * eps)).to(x.dtype)

    def with_part(i, part):
        changed = x.clone()
        changed[i] = part
        return f(changed)

    parts = [numeric_gradient(lambda part, i=i: with_part(i, part), x[i], eps) for i in range(x.shape[0])]
    return torch.stack(parts) if parts else torch.zeros_like(x)


# %% right_where: Marks one element after the other with a mask and torch.where.
import torch


def numeric_gradient(f, x, eps):
    number = torch.arange(x.numel()).reshape(x.shape)
    result = torch.zeros_like(x)
    for i in range(x.numel()):
        here = number == i
        up, down = f(torch.where(here, x + eps, x)), f(torch.where(here, x - eps, x))
        result = torch.where(here, (up - down) / (2 * eps), result)
    return result


# %% wrong_always_double: Works in float64 for accuracy and forgets the way back to the dtype of x.
import torch


def numeric_gradient(f, x, eps):
    base = x.double()
    result = torch.zeros(x.shape, dtype=torch.float64)
    steps = torch.eye(x.numel(), dtype=torch.float64) * eps
    for i, step in enumerate(steps):
        step = step.reshape(x.shape)
        result.view(-1)[i] = (f(base + step) - f(base - step)) / (2 * eps)
    return result


# %% wrong_autograd: Asks autograd for the exact slope instead of differences.
import torch


def numeric_gradient(f, x, eps):
    x = x.detach().clone().requires_grad_()
    (slope,) = torch.autograd.grad(f(x), x, allow_unused=True, materialize_grads=True)
    return slope


# %% wrong_default_dtype: Collects Python numbers, which become float32 whatever the dtype of x.
import torch


def numeric_gradient(f, x, eps):
    slopes = []
    for i in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[i] = eps
        step = step.reshape(x.shape)
        slopes.append(((f(x + step) - f(x - step)) / (2 * eps)).item())
    return torch.tensor(slopes).reshape(x.shape)


# %% wrong_drifting_x: Moves x itself up, down and back by sums: the last bits of x do not come back.
import torch


def numeric_gradient(f, x, eps):
    result = torch.zeros_like(x)
    for place in torch.cartesian_prod(*[torch.arange(n) for n in x.shape]).reshape(-1, x.dim()):
        where = tuple(place.tolist())
        x[where] += eps
        up = f(x)
        x[where] -= 2 * eps
        down = f(x)
        x[where] += eps
        result[where] = (up - down) / (2 * eps)
    return result


# %% wrong_equal_values: Finds the element by its value and moves all equal ones together.
import torch


def numeric_gradient(f, x, eps):
    result = torch.zeros_like(x)
    for value in x.unique():
        step = (x == value).to(x.dtype) * eps
        result[x == value] = (f(x + step) - f(x - step)) / (2 * eps)
    return result


# %% wrong_first_axis: Loops over len(x) and over rows: a tensor without axes has no len.
import torch


def numeric_gradient(f, x, eps):
    result = torch.zeros_like(x)
    for i in range(len(x)):
        if x.dim() > 1:
            result[i] = numeric_gradient(lambda row: f(torch.cat([x[:i], row[None], x[i + 1 :]])), x[i], eps)
        else:
            up, down = x.clone(), x.clone()
            up[i] += eps
            down[i] -= eps
            result[i] = (f(up) - f(down)) / (2 * eps)
    return result


# %% wrong_five_points: The five-point rule: it moves by 2 eps too, and is better than what was asked for.
import torch


def numeric_gradient(f, x, eps):
    result = torch.zeros_like(x, memory_format=torch.contiguous_format)
    flat = result.view(-1)
    for i in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[i] = eps
        step = step.view(x.shape)
        flat[i] = (8 * (f(x + step) - f(x - step)) - f(x + 2 * step) + f(x - 2 * step)) / (12 * eps)
    return result


# %% wrong_flat_copy: Moves the elements of x.flatten(), which is a copy where x is not contiguous or has one number.
import torch


def numeric_gradient(f, x, eps):
    moved = x.clone()
    flat, slopes = moved.flatten(), []
    for i in range(flat.numel()):
        old = flat[i].item()
        flat[i] = old + eps
        up = f(moved)
        flat[i] = old - eps
        down = f(moved)
        flat[i] = old
        slopes.append((up - down) / (2 * eps))
    if not slopes:
        return torch.zeros_like(x)
    return torch.stack(slopes).reshape(x.shape).to(x.dtype)


# %% wrong_flat_to_f: Hands f a flat vector instead of a tensor in the shape of x.
import torch


def numeric_gradient(f, x, eps):
    flat = x.reshape(-1)
    steps = eps * torch.eye(flat.numel(), dtype=x.dtype)
    slopes = [(f(flat + step) - f(flat - step)) / (2 * eps) for step in steps]
    return (torch.stack(slopes) if slopes else flat).reshape(x.shape)


# %% wrong_last_left_out: The loop ends one element early, unless there is only one.
import torch


def numeric_gradient(f, x, eps):
    result = torch.zeros(x.numel(), dtype=x.dtype)
    for i in range(max(1, x.numel() - 1)):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[i : i + 1] = eps
        step = step.reshape(x.shape)
        result[i : i + 1] = (f(x + step) - f(x - step)) / (2 * eps)
    return result.reshape(x.shape)


# %% wrong_nothing_to_stack: Stacks a list that is empty for an x without elements, and fails.
import torch


def numeric_gradient(f, x, eps):
    slopes = []
    for i in range(x.numel()):
        sides = []
        for sign in (1, -1):
            moved = x.reshape(-1).clone()
            moved[i] += sign * eps
            sides.append(f(moved.reshape(x.shape)))
        slopes.append((sides[0] - sides[1]) / (2 * eps))
    return torch.stack(slopes).reshape(x.shape)


# %% wrong_own_eps: Uses the 10⁻⁶ that the text recommends and never looks at eps.
import torch


def numeric_gradient(f, x, eps):
    eps = 1e-6
    result = torch.zeros_like(x).reshape(-1)
    for i in range(result.numel()):
        up, down = x.clone().reshape(-1), x.clone().reshape(-1)
        up[i] += eps
        down[i] -= eps
        result[i] = (f(up.reshape(x.shape)) - f(down.reshape(x.shape))) / (2 * eps)
    return result.reshape(x.shape)


# %% wrong_relative_step: Scales the step with the size of each element, as some libraries do.
import torch


def numeric_gradient(f, x, eps):
    def slope(i):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[i] = eps * max(1.0, abs(x.reshape(-1)[i].item()))
        by = step.sum()
        step = step.reshape(x.shape)
        return (f(x + step) - f(x - step)) / (2 * by)

    return torch.tensor([slope(i) for i in range(x.numel())], dtype=x.dtype).reshape(x.shape)


# %% wrong_skips_zeros: Goes through x.nonzero(): elements that are 0 keep a slope of 0.
import torch


def numeric_gradient(f, x, eps):
    result = torch.zeros_like(x)
    for place in x.nonzero().tolist():
        step = torch.zeros_like(x)
        step[tuple(place)] = eps
        result[tuple(place)] = (f(x + step) - f(x - step)) / (2 * eps)
    return result


# %% wrong_steps_add_up: Never puts an element back: later elements are moved with the earlier ones still up or down.
import torch


def numeric_gradient(f, x, eps):
    up, down = x.clone(), x.clone()
    before = f(up) - f(down)
    slopes = []
    for i in range(x.numel()):
        step = torch.zeros(x.numel(), dtype=x.dtype)
        step[i] = eps
        up, down = up + step.view(x.shape), down - step.view(x.shape)
        now = f(up) - f(down)
        slopes.append((now - before) / (2 * eps))
        before = now
    return torch.stack(slopes).view(x.shape) if slopes else torch.zeros_like(x)


# %% wrong_view_of_x: Takes x.view(-1), which fails on a transposed x.
import torch


def numeric_gradient(f, x, eps):
    flat = x.view(-1)
    result = torch.empty(flat.shape, dtype=x.dtype)
    for i in range(len(flat)):
        up, down = flat.clone(), flat.clone()
        up[i], down[i] = flat[i] + eps, flat[i] - eps
        result[i] = (f(up.view(x.shape)) - f(down.view(x.shape))) / (2 * eps)
    return result.view(x.shape)


# %% wrong_vmap: Moves all elements at once with vmap, which refuses an f with an `if` or `.item()` in it.
import torch


def numeric_gradient(f, x, eps):
    steps = (torch.eye(x.numel(), dtype=x.dtype) * eps).reshape(x.numel(), *x.shape)
    g = torch.vmap(f)
    return ((g(x + steps) - g(x - steps)) / (2 * eps)).reshape(x.shape)
