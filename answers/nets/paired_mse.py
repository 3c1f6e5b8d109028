# %% right_helper: A helper that looks at the shape and gives (N,) or raises.
import torch


def in_a_row(tensor):
    if tensor.dim() == 1:
        return tensor
    if tensor.dim() == 2 and tensor.shape[1] == 1:
        return tensor[:, 0]
    raise ValueError(f"{tuple(tensor.shape)}: expected (N,) or (N, 1)")


def paired_mse(prediction, target):
    prediction, target = in_a_row(prediction), in_a_row(target)
    if prediction.shape != target.shape:
        raise ValueError("not as many targets as predictions")
    return torch.nn.functional.mse_loss(prediction, target.to(prediction))


# %% right_columns: Columns instead of rows, and a match statement over the shapes.
import torch


def paired_mse(prediction, target):
    columns = []
    for tensor in (prediction, target):
        match tuple(tensor.shape):
            case (_,):
                columns.append(tensor.unsqueeze(1))
            case (_, 1):
                columns.append(tensor)
            case other:
                raise ValueError(other)
    one, other = columns
    if one.size(0) != other.size(0):
        raise ValueError((one.size(0), other.size(0)))
    return torch.square(one - other.type_as(one)).mean()


# %% right_loop: Adds up pair by pair, in float64, and casts the mean back.
import torch


def paired_mse(prediction, target):
    for tensor in (prediction, target):
        if tensor.ndim not in (1, 2) or tensor.ndim == 2 and tensor.shape[1] != 1:
            raise ValueError("shape")
    total = torch.zeros((), dtype=torch.float64)
    for one, other in zip(prediction.reshape(-1), target.reshape(-1), strict=True):
        total = total + (one.double() - other.double()) ** 2
    return (total / len(prediction)).to(prediction.dtype)


# %% right_norm: The squared length of the difference over N.
import torch


def paired_mse(prediction, target):
    n = prediction.shape[0] if prediction.dim() else -1
    allowed = [(n,), (n, 1)]
    if tuple(prediction.shape) not in allowed or tuple(target.shape) not in allowed:
        raise ValueError(f"{tuple(prediction.shape)} and {tuple(target.shape)} do not belong together")
    gap = prediction.reshape(n) - target.reshape(n).to(prediction.dtype)
    return (gap @ gap) / n


# %% wrong_squeezed: squeeze() takes every axis of length 1, so (1, N) passes for (N,), and (1, 1) becomes a number.
import torch


def paired_mse(prediction, target):
    prediction, target = prediction.squeeze(), target.squeeze()
    if prediction.shape != target.shape:
        raise ValueError("shapes differ")
    return ((prediction - target.to(prediction.dtype)) ** 2).mean()


# %% wrong_assert: An AssertionError where a ValueError is asked for.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        assert t.dim() == 1 or (t.dim() == 2 and t.shape[1] == 1)
    assert len(prediction) == len(target)
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).mean()


# %% wrong_target_to_prediction: Views the target like the prediction: (3, 2) and (6,) fit, and errors are RuntimeErrors.
import torch


def paired_mse(prediction, target):
    return ((prediction - target.view(prediction.shape).to(prediction.dtype)) ** 2).mean()


# %% wrong_same_shape_only: Refuses a column beside a row instead of pairing them.
import torch


def paired_mse(prediction, target):
    if prediction.shape != target.shape or prediction.dim() not in (1, 2):
        raise ValueError("shapes differ")
    return ((prediction - target.to(prediction.dtype)) ** 2).mean()


# %% wrong_any_columns: Never looks at the second axis, so two columns of equal shape pass.
import torch


def paired_mse(prediction, target):
    if prediction.dim() not in (1, 2) or target.dim() not in (1, 2) or len(prediction) != len(target):
        raise ValueError("shape")
    if prediction.numel() != target.numel():
        raise ValueError("count")
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).mean()


# %% wrong_one_for_many: A single target is compared with every prediction.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(target) not in (1, len(prediction)):
        raise ValueError("length")
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).mean()


# %% wrong_three_axes: Lets (N, 1, 1) pass.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() == 0 or t.numel() != len(t):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).mean()


# %% wrong_float: Everything becomes float32, float64 and bfloat16 predictions too.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    return ((prediction.flatten().float() - target.flatten().float()) ** 2).mean()


# %% wrong_item: A plain number: no gradient.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).mean().item()


# %% wrong_kept_axis: The result keeps an axis of length 1.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    gap = prediction.flatten() - target.flatten().to(prediction.dtype)
    return (gap**2).mean(dim=0, keepdim=True)


# %% wrong_root: The root of the mean.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).mean().sqrt()


# %% wrong_halved: Half the mean, so that the gradient has no 2.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).mean() / 2


# %% wrong_squeezes_in_place: Takes the caller's tensors' second axis away.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    if target.dim() == 2:
        target.squeeze_(1)
    return ((prediction.flatten() - target.to(prediction.dtype)) ** 2).mean()


# %% wrong_whole_predictions: Converts the prediction to the target's dtype: whole numbers cut it off.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    gap = prediction.flatten().to(target.dtype) - target.flatten()
    return (gap.to(prediction.dtype) ** 2).mean()


# %% wrong_expanded: The square multiplied out: far from 0 its three parts cancel.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    p, t = prediction.flatten(), target.flatten().to(prediction.dtype)
    return (p * p).mean() - 2 * (p * t).mean() + (t * t).mean()


# %% wrong_absolute: The mean of the distances instead of their squares.
import torch


def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    return (prediction.flatten() - target.flatten().to(prediction.dtype)).abs().mean()


# %% wrong_first_column: Takes the first column, however many there are.
import torch


def paired_mse(prediction, target):
    rows = []
    for t in (prediction, target):
        if t.dim() == 0 or t.dim() > 2:
            raise ValueError("axes")
        rows.append(t if t.dim() == 1 else t[:, 0])
    if len(rows[0]) != len(rows[1]):
        raise ValueError("length")
    return (rows[0] - rows[1].to(rows[0].dtype)).square().mean()


# %% wrong_broadcast_one: A target of one number is broadcast to all N.
def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.ndim not in (1, 2) or (t.ndim == 2 and t.shape[1] != 1):
            raise ValueError("shapes")
    p, t = prediction.reshape(-1), target.reshape(-1)
    if len(p) != len(t) and len(t) != 1:
        raise ValueError("unequal")
    return ((p - t) ** 2).mean().to(prediction.dtype)


# %% wrong_dtype: A float64 target makes a float64 loss of a float32 prediction.
def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.ndim not in (1, 2) or (t.ndim == 2 and t.shape[1] != 1):
            raise ValueError("shapes")
    if prediction.shape[0] != target.shape[0]:
        raise ValueError("unequal")
    return ((prediction.reshape(-1) - target.reshape(-1)) ** 2).mean()


# %% wrong_rejects_one_by_one: (1, 1) is N equal to 1, yet refused as (1, N).
def paired_mse(prediction, target):
    def flat(t):
        if t.ndim == 2 and t.shape[0] != 1 and t.shape[1] == 1:
            return t[:, 0]
        if t.ndim == 1:
            return t
        raise ValueError("shapes")

    p, t = flat(prediction), flat(target)
    if p.shape != t.shape:
        raise ValueError("unequal")
    return (p - t.to(p.dtype)).square().mean()


# %% wrong_no_axis: A tensor without axes gives IndexError, not ValueError.
def paired_mse(prediction, target):
    if prediction.shape[0] != target.shape[0]:
        raise ValueError("unequal")
    for t in (prediction, target):
        if t.ndim > 2 or (t.ndim == 2 and t.shape[1] != 1):
            raise ValueError("shapes")
    return (prediction.reshape(-1) - target.reshape(-1).to(prediction.dtype)).square().mean()


# %% wrong_in_place: Takes the last axis away from the caller's own tensors.
def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.ndim not in (1, 2) or (t.ndim == 2 and t.shape[1] != 1):
            raise ValueError("shapes")
    if prediction.shape[0] != target.shape[0]:
        raise ValueError("unequal")
    if target.ndim == 2:
        target.squeeze_(1)
    p = prediction[:, 0] if prediction.ndim == 2 else prediction
    return (p - target.to(p.dtype)).square().mean()


# %% wrong_target_dtype: A prediction is cut to whole numbers where the target is whole.
def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.ndim not in (1, 2) or (t.ndim == 2 and t.shape[1] != 1):
            raise ValueError("shapes")
    if prediction.shape[0] != target.shape[0]:
        raise ValueError("unequal")
    p, t = prediction.reshape(-1), target.reshape(-1)
    return ((p.to(t.dtype) - t) ** 2).to(prediction.dtype).mean()


# %% wrong_one_axis: The result has an axis of one when both come as columns.
def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.ndim not in (1, 2) or (t.ndim == 2 and t.shape[1] != 1):
            raise ValueError("shapes")
    if prediction.shape[0] != target.shape[0]:
        raise ValueError("unequal")
    if prediction.ndim == target.ndim:
        return (prediction - target.to(prediction.dtype)).square().mean(0)
    return (prediction.reshape(-1) - target.reshape(-1).to(prediction.dtype)).square().mean()


# %% wrong_same_shape_passes: Two tensors of the same shape pass unseen, (1, N) or three axes alike.
def paired_mse(prediction, target):
    if prediction.shape != target.shape:
        for t in (prediction, target):
            if t.ndim not in (1, 2) or (t.ndim == 2 and t.shape[1] != 1):
                raise ValueError("shapes")
        if prediction.shape[0] != target.shape[0]:
            raise ValueError("unequal")
        prediction, target = prediction.reshape(-1), target.reshape(-1)
    return (prediction - target.to(prediction.dtype)).square().mean()


# %% right_match: Patterns of shapes.
def paired_mse(prediction, target):
    match (*prediction.shape, "|", *target.shape):
        case (n, "|", m) | (n, 1, "|", m) | (n, "|", m, 1) | (n, 1, "|", m, 1) if n == m:
            return (prediction.ravel() - target.ravel().type_as(prediction)).pow(2).mean()
        case _:
            raise ValueError("give (N,) or (N, 1)")


# %% right_f_mse: Two columns for the loss of PyTorch.
import torch.nn.functional as F


def paired_mse(prediction, target):
    n = prediction.shape[:1].numel()
    good = {(n,), (n, 1)}
    if not {tuple(prediction.shape), tuple(target.shape)} <= good:
        raise ValueError(f"{tuple(prediction.shape)} and {tuple(target.shape)} are no pairs")
    return F.mse_loss(prediction.reshape(n, 1), target.detach().reshape(n, 1).to(prediction))


# %% right_distance: The length of the difference by a scalar product.
import torch


def paired_mse(prediction, target):
    def column(t):
        if t.dim() == 1:
            return t
        if t.dim() == 2 and t.size(1) == 1:
            return t.select(1, 0)
        raise ValueError("shape")

    p, t = column(prediction), column(target)
    if p.numel() != t.numel():
        raise ValueError("unequal")
    d = torch.sub(p, t.to(p.dtype))
    return torch.einsum("i,i->", d / d.numel(), d)


# %% wrong_through_float32: Computes in float32 and converts at the end: 2**40 and an eighth are no float32.
def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    gaps = prediction.flatten().float() - target.flatten().float()
    return gaps.square().mean().to(prediction.dtype)


# %% wrong_root_squared: The square of a root: no gradient where all predictions are perfect.
def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    gaps = prediction.flatten() - target.flatten().to(prediction.dtype)
    return gaps.square().mean().sqrt() ** 2


# %% wrong_nan_left_out: Leaves pairs with NaN out of the mean.
def paired_mse(prediction, target):
    for t in (prediction, target):
        if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    gaps = prediction.flatten() - target.flatten().to(prediction.dtype)
    return gaps.square().nanmean()


# %% wrong_equal_shapes_first: Equal shapes pass before anybody looks at the axes.
def paired_mse(prediction, target):
    if prediction.shape != target.shape:
        for t in (prediction, target):
            if t.dim() not in (1, 2) or (t.dim() == 2 and t.shape[1] != 1):
                raise ValueError("shape")
        if len(prediction) != len(target):
            raise ValueError("length")
    elif prediction.dim() == 0 or prediction.dim() == 2 and prediction.shape[1] != 1:
        raise ValueError("shape")
    return (prediction.flatten() - target.flatten().to(prediction.dtype)).square().mean()
