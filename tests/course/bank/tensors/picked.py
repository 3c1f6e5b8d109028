# %% right_flat: Counts in reading order: row number times row length, plus the class.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return scores.reshape(-1)[torch.arange(len(classes)) * scores.shape[1] + classes]


# %% right_masked: A mask of one True a row, which selects in order.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    mask = torch.zeros(scores.shape, dtype=torch.bool)
    mask[range(len(classes)), classes.tolist()] = True
    return scores[mask]


# %% right_take_along: `take_along_dim`, and the column's axis dropped.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return torch.take_along_dim(scores, classes.unsqueeze(1), dim=1).squeeze(1)


# %% right_where: A mask by broadcasting, zeros elsewhere, added up.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    mask = torch.arange(scores.shape[1]) == classes[:, None]
    return torch.where(mask, scores, 0).sum(dim=1)


# %% wrong_diagonal_of_gather: Gathers along dim 0.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return scores.gather(0, classes[None, :].clamp(max=max(len(scores) - 1, 0))).flatten()


# %% wrong_from_one: Counts classes from 1.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return scores[torch.arange(len(classes)), (classes - 1) % scores.shape[1]]


# %% wrong_largest: Takes each row's largest score.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return scores.amax(dim=1)


# %% wrong_list: A list of numbers.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return [row[c].item() for row, c in zip(scores, classes, strict=True)]


# %% wrong_masked_mean: A mask, and the mean over the row instead of the sum.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    mask = torch.nn.functional.one_hot(classes, scores.shape[1])
    return (scores * mask).mean(dim=1)


# %% wrong_negative: The negative, as a loss has it.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return -scores[torch.arange(len(classes)), classes]


# %% wrong_row_stride: Counts in reading order with the number of rows as the stride.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    places = torch.arange(len(classes)) * len(classes) + classes
    return scores.flatten()[places.clamp(max=max(scores.numel() - 1, 0))]


# %% wrong_softmax: Turns scores into shares first.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return scores.softmax(dim=1)[torch.arange(len(classes)), classes]


# %% wrong_stack: Stacks row by row, which fails without rows.
import torch


def picked(scores, classes):
    """scores[n, classes[n]] for each n: (N, C) and (N,) int64 to (N,)."""
    return torch.stack([row[c] for row, c in zip(scores, classes, strict=True)])
