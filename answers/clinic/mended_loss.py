# %% right_dot: A dot product of the difference with itself.
import torch


def mended_loss(predictions, targets):
    a, b = torch.ravel(predictions), torch.ravel(targets)
    if a.shape != b.shape:
        raise ValueError("unequal numbers")
    difference = a - b
    return difference @ difference / difference.shape[0]


# %% right_double_inside: Computed in float64, given back in the dtype of the predictions.
def mended_loss(predictions, targets):
    a, b = predictions.double().view(-1), targets.double().view(-1)
    if a.numel() - b.numel():
        raise ValueError("unequal")
    return (a - b).pow(2).mean().to(predictions.dtype)


# %% right_torch_loss: Torch's own loss after a reshape.
import torch.nn.functional as F


def mended_loss(predictions, targets):
    if len(predictions) != len(targets):
        raise ValueError("as many predictions as targets, please")
    return F.mse_loss(predictions.reshape(-1, 1), targets.reshape(-1, 1))


# %% wrong_assert: An assertion, not a ValueError.
def mended_loss(predictions, targets):
    assert predictions.numel() == targets.numel(), "unequal"
    return (predictions.flatten() - targets.flatten()).square().mean()


# %% wrong_detached: Cuts the graph: the loss is a number without a gradient.
import torch


def mended_loss(predictions, targets):
    if predictions.numel() != targets.numel():
        raise ValueError("unequal")
    return torch.tensor((predictions.flatten() - targets.flatten()).square().mean().item())


# %% wrong_first_length: Cuts the longer one to the length of the shorter.
def mended_loss(predictions, targets):
    shorter = min(predictions.numel(), targets.numel())
    return (predictions.flatten()[:shorter] - targets.flatten()[:shorter]).square().mean()


# %% wrong_n_minus_one: Divides by N - 1, as a variance would.
def mended_loss(predictions, targets):
    if predictions.numel() != targets.numel():
        raise ValueError("unequal")
    return (predictions.flatten() - targets.flatten()).square().sum() / max(1, predictions.numel() - 1)


# %% wrong_other_error: Lets torch raise its RuntimeError instead of a ValueError.
def mended_loss(predictions, targets):
    return (predictions.view(-1) - targets.view(predictions.numel())).square().mean()


# %% wrong_root: The root of the mean square, which is another loss.
def mended_loss(predictions, targets):
    if predictions.numel() != targets.numel():
        raise ValueError("unequal")
    return (predictions.reshape(-1) - targets.reshape(-1)).square().mean().sqrt()


# %% wrong_shape_refusal: Refuses (N, 1) against (N,), although both are N numbers.
def mended_loss(predictions, targets):
    if predictions.shape != targets.shape:
        raise ValueError(f"{predictions.shape} and {targets.shape}")
    return ((predictions - targets) ** 2).mean()


# %% wrong_squeeze_one: squeeze() of one number gives a scalar, which then fits everything.
import torch.nn.functional as F


def mended_loss(predictions, targets):
    predictions, targets = predictions.squeeze(), targets.squeeze()
    if predictions.dim() and targets.dim() and len(predictions) != len(targets):
        raise ValueError("unequal")
    return F.mse_loss(predictions, targets)


# %% wrong_sum: The sum of the squares, not their mean.
def mended_loss(predictions, targets):
    if predictions.numel() != targets.numel():
        raise ValueError("unequal")
    return (predictions.flatten() - targets.flatten()).square().sum()


# %% wrong_unsqueeze_second: Adds an axis to the targets whatever they have: (N, 1) becomes (N, 1, 1).
def mended_loss(predictions, targets):
    if len(predictions) != len(targets):
        raise ValueError("unequal")
    if predictions.dim() == 2:
        targets = targets.unsqueeze(1)
    return (predictions - targets).square().mean()


# %% wrong_view_as_hides: expand_as lets a single number stand for N.
import torch


def mended_loss(predictions, targets):
    predictions, targets = predictions.reshape(-1), targets.reshape(-1)
    if predictions.numel() != 1 and targets.numel() != 1 and predictions.numel() != targets.numel():
        raise ValueError("unequal")
    return (predictions - targets).square().mean()


# %% wrong_three_means: Squares apart: large numbers that lie close together cancel.
def mended_loss(predictions, targets):
    p, t = predictions.reshape(-1), targets.reshape(-1)
    if len(p) != len(t):
        raise ValueError("unequal")
    return (p * p).mean() - 2 * (p * t).mean() + (t * t).mean()


# %% wrong_finite_only: Leaves out what is not finite.
def mended_loss(predictions, targets):
    p, t = predictions.reshape(-1), targets.reshape(-1)
    if len(p) != len(t):
        raise ValueError("unequal")
    squares = (p - t) ** 2
    return squares[squares.isfinite()].mean()


# %% wrong_shape_one: A result of shape (1,).
def mended_loss(predictions, targets):
    p, t = predictions.reshape(-1), targets.reshape(-1)
    if len(p) != len(t):
        raise ValueError("unequal")
    return ((p - t) ** 2).mean(dim=0, keepdim=True)


# %% wrong_always_float32: The result is always float32.
def mended_loss(predictions, targets):
    p, t = predictions.reshape(-1).float(), targets.reshape(-1).float()
    if len(p) != len(t):
        raise ValueError("unequal")
    return ((p - t) ** 2).mean()


# %% wrong_through_float32: Computes in float32 and casts back, which loses float64 differences.
def mended_loss(predictions, targets):
    if predictions.numel() != targets.numel():
        raise ValueError("unequal numbers of predictions and targets")
    p = predictions.reshape(-1).float()
    t = targets.reshape(-1).float()
    return (p - t).square().mean().to(predictions.dtype)


# %% wrong_root_and_square: The norm by a root: its slope at 0 is NaN.
def mended_loss(predictions, targets):
    if predictions.numel() != targets.numel():
        raise ValueError("unequal")
    norm = (predictions.flatten() - targets.flatten()).square().sum().sqrt()
    return norm**2 / predictions.numel()
