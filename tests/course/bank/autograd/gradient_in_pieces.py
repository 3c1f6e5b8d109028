# %% right_every_kth_row: Every k-th row makes a piece, and the order of the pieces is reversed.
import torch


def gradient_in_pieces(w, x, y, size):
    k = -(-len(x) // size)
    grads = [torch.autograd.grad((x[i::k].matmul(w) - y[i::k]).pow(2).sum(), w)[0] for i in range(k - 1, -1, -1)]
    return torch.stack(grads).sum(0) / len(x)


# %% right_formula_in_pieces: The gradient by hand, without any graph, in float64 and cast back.
import torch


@torch.no_grad()
def gradient_in_pieces(w, x, y, size):
    total = torch.zeros_like(w, dtype=torch.float64)
    for start in range(0, len(x), size):
        xs, ys = x[start : start + size].double(), y[start : start + size].double()
        total += torch.einsum("nf,n->f", xs, xs @ w.double() - ys)
    return (total * 2 / len(x)).to(w.dtype)


# %% right_grad_put_back: Borrows w.grad, and puts the old one back in the end.
def gradient_in_pieces(w, x, y, size):
    before, w.grad = w.grad, None
    for rows in zip(x.split(size), y.split(size)):
        loss = ((rows[0] @ w - rows[1]) ** 2).sum()
        loss.backward()
    answer, w.grad = w.grad / len(x), before
    return answer


# %% right_own_leaf: backward adds up in a leaf of its own; w and its .grad are not touched.
def gradient_in_pieces(w, x, y, size):
    leaf = w.detach().clone().requires_grad_()
    for start in range(0, len(x), size):
        error = x[start : start + size] @ leaf - y[start : start + size]
        (error.square().sum() / len(x)).backward()
    return leaf.grad


# %% right_weighted_means: The pieces' means weighted with their share of the rows.
import torch


def gradient_in_pieces(w, x, y, size):
    return sum(
        torch.autograd.grad(torch.nn.functional.mse_loss(xs @ w, ys), w)[0] * (len(xs) / len(x))
        for xs, ys in zip(x.split(size), y.split(size), strict=True)
    )


# %% wrong_alias_subtracted: Subtracts the old gradient, but kept no copy of it: it subtracts the new one from itself.
import torch


def gradient_in_pieces(w, x, y, size):
    before = w.grad if w.grad is not None else torch.zeros_like(w)
    for xs, ys in zip(torch.split(x, size), torch.split(y, size)):
        ((xs @ w - ys).square().sum() / y.numel()).backward()
    return w.grad - before


# %% wrong_chunk: chunk(size) makes `size` pieces, not pieces of `size` rows; for 7 rows and 3 it is the same.
import torch


def gradient_in_pieces(w, x, y, size):
    total = torch.zeros_like(w)
    for xs, ys in zip(x.chunk(size), y.chunk(size)):
        total += torch.autograd.grad(((xs @ w - ys) ** 2).sum() / len(y), w)[0]
    return total


# %% wrong_column: Makes y a column, so that every prediction meets every target.
import torch


def gradient_in_pieces(w, x, y, size):
    total = torch.zeros_like(w)
    for xs, ys in zip(x.split(size), y[:, None].split(size)):
        total += torch.autograd.grad(((xs @ w - ys) ** 2).mean() * len(xs) / len(x), w)[0]
    return total


# %% wrong_float32_total: The running sum is float32 and stays so when float64 is added in place.
import torch


def gradient_in_pieces(w, x, y, size):
    total = torch.zeros(w.shape)
    for k in range(0, x.shape[0], size):
        error = x[k : k + size] @ w - y[k : k + size]
        total += torch.autograd.grad(error.pow(2).sum(), w)[0]
    return total / x.shape[0]


# %% wrong_full_last_piece: Stops before the last full piece and adds the rest: right only where a rest is left.
import torch


def gradient_in_pieces(w, x, y, size):
    def gradient(xs, ys):
        return torch.autograd.grad(((xs @ w - ys) ** 2).sum() / len(x), w)[0]

    total, start = torch.zeros_like(w), 0
    while start + size < len(x):
        total += gradient(x[start : start + size], y[start : start + size])
        start += size
    rest = len(x) % size
    if rest:
        total += gradient(x[-rest:], y[-rest:])
    return total


# %% wrong_graphs_kept: create_graph keeps every piece's graph, joined in the sum that is returned.
import torch


def gradient_in_pieces(w, x, y, size):
    total = 0
    for xs, ys in zip(x.split(size), y.split(size)):
        loss = ((xs @ w - ys) ** 2).sum() / len(x)
        total = total + torch.autograd.grad(loss, w, create_graph=True)[0]
    return total


# %% wrong_integer_share: The share of a piece by whole-number division: 0 unless there is one piece.
import torch


def gradient_in_pieces(w, x, y, size):
    total = torch.zeros_like(w)
    for xs, ys in zip(x.split(size), y.split(size)):
        share = len(xs) // len(x)
        total += share * torch.autograd.grad(((xs @ w - ys) ** 2).mean(), w)[0]
    return total


# %% wrong_mean_of_means: Averages the pieces' means: the rows of a short piece count more.
import torch


def gradient_in_pieces(w, x, y, size):
    grads = []
    for xs, ys in zip(x.split(size), y.split(size)):
        loss = ((xs @ w - ys) ** 2).mean()
        grads.append(torch.autograd.grad(loss, w)[0])
    return torch.stack(grads).mean(dim=0)


# %% wrong_nominal_count: Divides by pieces times size as if the last piece were full.
import math

import torch


def gradient_in_pieces(w, x, y, size):
    pieces = math.ceil(len(x) / size)
    total = torch.zeros_like(w)
    for i in range(pieces):
        at = slice(i * size, i * size + size)
        total += torch.autograd.grad(((x[at] @ w - y[at]) ** 2).sum(), w)[0]
    return total / (pieces * size)


# %% wrong_old_grad: Returns w.grad with what was in it from before.
def gradient_in_pieces(w, x, y, size):
    for start in range(0, len(x), size):
        piece = slice(start, start + size)
        loss = ((x[piece] @ w - y[piece]) ** 2).sum() / len(x)
        loss.backward()
    return w.grad.clone()


# %% wrong_one_feature: Squeezes the pieces: with one feature a piece is no matrix any more.
import torch


def gradient_in_pieces(w, x, y, size):
    total = torch.zeros_like(w)
    for start in range(0, len(x), size):
        xs, ys = x[start : start + size].squeeze(), y[start : start + size].squeeze()
        total += torch.autograd.grad(((xs @ w - ys) ** 2).sum() / len(x), w)[0]
    return total


# %% wrong_one_walk: Adds up the pieces' losses and walks once: one graph with all rows.
import torch


def gradient_in_pieces(w, x, y, size):
    loss = 0
    for start in range(0, len(x), size):
        loss = loss + ((x[start : start + size] @ w - y[start : start + size]) ** 2).sum()
    return torch.autograd.grad(loss / len(x), w)[0]


# %% wrong_overlapping_end: Fills the last piece with rows that were already counted.
import torch


def gradient_in_pieces(w, x, y, size):
    size = min(size, len(x))
    total = torch.zeros_like(w)
    for start in range(0, len(x), size):
        start = min(start, len(x) - size)
        xs, ys = x[start : start + size], y[start : start + size]
        total += torch.autograd.grad(((xs @ w - ys) ** 2).sum(), w)[0]
    return total / len(x)


# %% wrong_prediction_outside: Predicts all rows once, outside the loop, and keeps that graph for each piece.
import torch


def gradient_in_pieces(w, x, y, size):
    errors = x @ w - y
    total = torch.zeros_like(w)
    for piece in errors.split(size):
        (g,) = torch.autograd.grad((piece**2).sum() / len(x), w, retain_graph=True)
        total += g
    return total


# %% wrong_rounded_away: Lets the pieces add to the old gradient and subtracts it: beside a large one the small digits are lost.
import torch


def gradient_in_pieces(w, x, y, size):
    before = torch.zeros_like(w) if w.grad is None else w.grad.clone()
    for start in range(0, len(y), size):
        stop = start + size
        (((x[start:stop] @ w - y[start:stop]) ** 2).sum() / len(y)).backward()
    return w.grad.clone() - before


# %% wrong_short_piece_dropped: Takes only as many pieces as fit: the short one is lost, and a size beyond the batch gives zeros.
import torch


def gradient_in_pieces(w, x, y, size):
    total = torch.zeros_like(w)
    for i in range(len(x) // size):
        xs, ys = x[i * size : (i + 1) * size], y[i * size : (i + 1) * size]
        (g,) = torch.autograd.grad(((xs @ w - ys) ** 2).sum(), w)
        total = total + g
    return total / len(x)


# %% wrong_steps_between: Takes an optimizer step after each piece: w is changed, later pieces see another w.
import torch


def gradient_in_pieces(w, x, y, size):
    optimizer = torch.optim.SGD([w], lr=1e-3)
    total = torch.zeros_like(w)
    for xs, ys in zip(x.split(size), y.split(size)):
        optimizer.zero_grad()
        (((xs @ w - ys) ** 2).sum() / len(x)).backward()
        total += w.grad
        optimizer.step()
    return total


# %% wrong_stops_asking: Switches off that w asks, to use the formula, and does not switch it on again.
import torch


def gradient_in_pieces(w, x, y, size):
    w.requires_grad_(False)
    total = torch.zeros_like(w)
    for xs, ys in zip(x.split(size), y.split(size)):
        total += 2 * xs.T @ (xs @ w - ys)
    return total / len(x)


# %% wrong_whole_batch: Ignores size: the whole batch goes through at once.
import torch


def gradient_in_pieces(w, x, y, size):
    fresh = w.detach().clone().requires_grad_()
    torch.nn.functional.mse_loss(x @ fresh, y).backward()
    return fresh.grad


# %% wrong_zero_without_grad: Clears w.grad in place, which fails as long as there is none.
def gradient_in_pieces(w, x, y, size):
    w.grad.zero_()
    for xs, ys in zip(x.split(size), y.split(size)):
        loss = ((xs @ w - ys) ** 2).mean() * len(xs) / len(x)
        loss.backward()
    return w.grad.clone()


# %% right_transposed_product: w @ x.T, piece by piece.
import torch


def gradient_in_pieces(w, x, y, size):
    total = torch.zeros_like(w)
    for start in range(0, len(y), size):
        error = w @ x[start : start + size].T - y[start : start + size]
        total += torch.autograd.grad(error @ error / len(y), w)[0]
    return total


# %% right_columns: w as a column and errors as a column, so that shapes agree.
import torch


def gradient_in_pieces(w, x, y, size):
    column, total = w[:, None], 0
    for rows, wanted in zip(x.split(size), y[:, None].split(size)):
        loss = ((rows @ w[:, None] - wanted) ** 2).sum() / len(x)
        total = total + torch.autograd.grad(loss, w)[0]
    return total.reshape(column.shape[0])


# %% right_row_by_row: One row at a time, which is never more than size.
def gradient_in_pieces(w, x, y, size):
    w.grad = None
    for row, target in zip(x, y):
        ((row @ w - target) ** 2 / len(y)).backward()
    return w.grad.clone()


# %% right_elementwise: A product and a sum in place of @.
def gradient_in_pieces(w, x, y, size):
    w.grad = None
    for start in range(0, len(y), size):
        error = (x[start : start + size] * w).sum(dim=1) - y[start : start + size]
        error.pow(2).sum().div(len(y)).backward()
    return w.grad


# %% wrong_one_row_too_many: Pieces of size + 1 rows.
import torch


def gradient_in_pieces(w, x, y, size):
    total = torch.zeros_like(w)
    for rows, wanted in zip(x.split(size + 1), y.split(size + 1)):
        total += torch.autograd.grad(((rows @ w - wanted) ** 2).sum() / len(y), w)[0]
    return total


# %% wrong_two_at_a_time: Walks back only after every second piece.
import torch


def gradient_in_pieces(w, x, y, size):
    total, losses = torch.zeros_like(w), []
    for rows, wanted in zip(x.split(size), y.split(size)):
        losses.append(((rows @ w - wanted) ** 2).sum() / len(y))
        if len(losses) == 2:
            total += torch.autograd.grad(sum(losses), w)[0]
            losses = []
    return total + torch.autograd.grad(sum(losses), w)[0] if losses else total


# %% wrong_losses_in_a_list: A list of losses, each walked back later: all graphs are alive together.
def gradient_in_pieces(w, x, y, size):
    w.grad = None
    losses = [((rows @ w - wanted) ** 2).sum() / len(y) for rows, wanted in zip(x.split(size), y.split(size))]
    for loss in losses:
        loss.backward()
    return w.grad


# %% wrong_torch_func: torch.func, which the task rules out.
import torch


def gradient_in_pieces(w, x, y, size):
    def loss(w, rows, wanted):
        return ((rows @ w - wanted) ** 2).sum() / len(y)

    return sum(torch.func.grad(loss)(w, rows, wanted) for rows, wanted in zip(x.split(size), y.split(size)))


# %% right_view_of_rows: Cuts with view where the pieces are whole, else row by row.
def gradient_in_pieces(w, x, y, size):
    w.grad = None
    if len(x) % size:
        size = 1
    for rows, wanted in zip(x.view(-1, size, x.shape[1]), y.view(-1, size)):
        (((rows @ w - wanted) ** 2).sum() / len(y)).backward()
    return w.grad


# %% wrong_times_zero: Clears the old gradient by a product with 0, which leaves NaN as it is.
def gradient_in_pieces(w, x, y, size):
    if w.grad is not None:
        w.grad *= 0
    for rows, wanted in zip(x.split(size), y.split(size)):
        (((rows @ w - wanted) ** 2).sum() / len(y)).backward()
    return w.grad
