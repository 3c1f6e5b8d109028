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
