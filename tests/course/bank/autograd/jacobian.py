# %% right_batched_walk: One call with is_grads_batched sends all unit vectors back together.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    units = torch.eye(y.shape[0], dtype=y.dtype)
    return torch.autograd.grad(y, x, units, is_grads_batched=True)[0]


# %% right_double_walk: Columns by walking back through the walk back, transposed by stacking them side by side.
import torch


def jacobian(f, x):
    x = x.clone().requires_grad_()
    y = f(x)
    v = torch.zeros_like(y, requires_grad=True)
    (back,) = torch.autograd.grad(y, x, v, create_graph=True)
    columns = [
        torch.autograd.grad(back[j], v, retain_graph=True, allow_unused=True, materialize_grads=True)[0]
        for j in range(len(x))
    ]
    return torch.stack(columns, dim=-1)


# %% right_filled_rows: A matrix made by new_empty, filled row by row from the last to the first.
import torch


def jacobian(f, x):
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        y = f(x)
    matrix = x.detach().new_empty((y.numel(), x.numel()))
    for i in reversed(range(y.numel())):
        matrix[i] = torch.autograd.grad(y[i], x, retain_graph=i > 0)[0]
    return matrix


# %% right_library: The older function of torch.autograd, which is not in torch.func.
import torch


def jacobian(f, x):
    return torch.autograd.functional.jacobian(f, x)


# %% right_new_graph_per_row: Builds the graph anew for each row and reads x.grad.
import torch


def jacobian(f, x):
    rows = []
    for i in range(len(f(x))):
        leaf = x.clone().requires_grad_()
        f(leaf)[i].backward()
        rows.append(leaf.grad)
    return torch.stack(rows)


# %% wrong_clipped: Clips the slopes to ±10, a habit from training.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    rows = []
    for v in torch.eye(y.numel(), dtype=y.dtype):
        (row,) = torch.autograd.grad(y, x, v, retain_graph=True)
        rows.append(row.clamp(-10, 10))
    return torch.stack(rows)


# %% wrong_diagonal: Thinks that output i depends on input i alone.
import torch


def jacobian(f, x):
    x = x.clone().requires_grad_()
    y = f(x)
    result = torch.zeros(len(y), len(x), dtype=x.dtype)
    own = torch.autograd.grad(y.sum(), x)[0]
    for i in range(min(result.shape)):
        result[i, i] = own[i]
    return result


# %% wrong_differences: Finite differences instead of walks back.
import torch


def jacobian(f, x):
    h = 1e-5
    columns = [(f(x + h * e) - f(x - h * e)) / (2 * h) for e in torch.eye(len(x), dtype=x.dtype)]
    return torch.stack(columns, dim=1)


# %% wrong_equal_outputs: Marks output i by its value: equal outputs are walked back together.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    return torch.stack([torch.autograd.grad(y, x, (y == value).to(y), retain_graph=True)[0] for value in y])


# %% wrong_float32_matrix: Fills a matrix of torch.zeros, which is float32 also for float64.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_(True)
    y = f(x)
    matrix = torch.zeros(y.shape[0], x.shape[0])
    for i in range(y.shape[0]):
        v = torch.zeros_like(y)
        v[i] = 1
        matrix[i] = torch.autograd.grad(y, x, v, retain_graph=True)[0]
    return matrix


# %% wrong_gradients_add_up: Calls backward for each row and never clears x.grad: the rows are running sums.
import torch


def jacobian(f, x):
    x = x.clone().requires_grad_()
    rows = []
    for y in f(x):
        y.backward(retain_graph=True)
        rows.append(x.grad.clone())
    return torch.stack(rows)


# %% wrong_graph_freed: Does not keep the graph: the second walk fails unless f keeps nothing.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    return torch.stack([torch.autograd.grad(y, x, v)[0] for v in torch.eye(len(y), dtype=y.dtype)])


# %% wrong_last_row: The last walk, which frees the graph, is forgotten: the last row stays zero.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    result = torch.zeros(len(y), len(x), dtype=x.dtype)
    for i in range(len(y) - 1):
        result[i] = torch.autograd.grad(y[i], x, retain_graph=True)[0]
    return result


# %% wrong_list_of_rows: Returns a list of rows, not a matrix.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    return [torch.autograd.grad(one, x, retain_graph=True)[0] for one in y]


# %% wrong_one_walk: One walk back with ones: the sum of the rows, repeated.
import torch


def jacobian(f, x):
    x = x.clone().requires_grad_()
    y = f(x)
    (total,) = torch.autograd.grad(y, x, torch.ones_like(y))
    return total.expand(len(y), -1).clone()


# %% wrong_reshaped: Joins the rows end to end and folds them by the number of inputs.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    slopes = [torch.autograd.grad(one, x, retain_graph=True)[0] for one in y.unbind()]
    return torch.cat(slopes).reshape(len(x), len(y))


# %% wrong_rows_by_inputs: Loops over the number of inputs instead of the number of outputs.
import torch


def jacobian(f, x):
    x = x.clone().requires_grad_()
    y = f(x)
    rows = []
    for i in range(len(x)):
        v = torch.zeros_like(y)
        v[i] = 1
        rows.append(torch.autograd.grad(y, x, v, retain_graph=True)[0])
    return torch.stack(rows)


# %% wrong_same_grad_object: Clears x.grad in place, and all rows are one and the same tensor.
import torch


def jacobian(f, x):
    x = x.clone().requires_grad_()
    x.grad = torch.zeros_like(x)
    y, rows = f(x), []
    for i in range(len(y)):
        x.grad.zero_()
        y[i].backward(retain_graph=True)
        rows.append(x.grad)
    return torch.stack(rows)


# %% wrong_squeezed: Squeezes away axes of length 1: one output or one input gives no matrix.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    rows = [torch.autograd.grad(y, x, v, retain_graph=True)[0] for v in torch.eye(len(y), dtype=y.dtype)]
    return torch.stack(rows).squeeze()


# %% wrong_torch_func: Uses torch.func, which the task rules out.
import torch


def jacobian(f, x):
    return torch.func.jacrev(f)(x)


# %% wrong_transposed: Stacks the rows as columns: (inputs, outputs).
import torch


def jacobian(f, x):
    x = x.detach().requires_grad_()
    y = f(x)
    rows = [torch.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(len(y))]
    return torch.stack(rows, dim=1)


# %% wrong_weighted_by_output: Sends back the output itself instead of a 1.
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_()
    y = f(x)
    send = torch.diag(y.detach())
    return torch.stack([torch.autograd.grad(y, x, row, retain_graph=True)[0] for row in send])
