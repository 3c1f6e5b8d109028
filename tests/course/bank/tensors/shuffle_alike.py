# %% right_fisher_yates: Swaps from the back, in copies.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    rows, labels = rows.clone(), labels.clone()
    for i in range(len(rows) - 1, 0, -1):
        j = int(torch.randint(i + 1, ()))
        rows[[i, j]], labels[[i, j]] = rows[[j, i]], labels[[j, i]]
    return rows, labels


# %% right_index_select: The same order by `index_select` for both.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(labels.shape[0])
    return torch.index_select(rows, 0, order), torch.index_select(labels, 0, order)


# %% right_python_shuffle: Python's own shuffle of the row numbers.
import random

import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = list(range(len(rows)))
    random.shuffle(order)
    order = torch.tensor(order, dtype=torch.long)
    return rows[order], labels[order]


# %% right_sorted_noise: The order that sorts random numbers.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.rand(len(rows)).argsort()
    return rows.gather(0, order[:, None].expand(-1, rows.shape[1])), labels.gather(0, order)


# %% wrong_columns: Shuffles the columns of the rows.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(rows.shape[1])
    return rows[:, order], labels


# %% wrong_fixed_seed: Seeds inside, so that every call gives the same order.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(0))
    return rows[order], labels[order]


# %% wrong_glued: Glues the labels on as a column of the rows' type, and they stay floats.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    together = torch.cat([rows, labels[:, None].to(rows.dtype)], dim=1)[torch.randperm(len(rows))]
    return together[:, :-1], together[:, -1]


# %% wrong_half: Leaves out the last row.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(max(len(rows) - 1, 0))
    return rows[order], labels[order]


# %% wrong_in_place: Shuffles what it was given.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(len(rows))
    rows[:] = rows[order]
    labels[:] = labels[order]
    return rows, labels


# %% wrong_inverse: The rows by the order, the labels by its inverse.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(len(rows))
    return rows[order], labels[order.argsort()]


# %% wrong_only_first_swapped: Swaps one pair at random and calls it shuffled.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.arange(len(rows))
    if len(rows) > 1:
        other = int(torch.randint(1, len(rows), ()))
        order[0], order[other] = other, 0
    return rows[order], labels[order]


# %% wrong_reversed: Turns the order round: always the same one.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    return rows.flip(0), labels.flip(0)


# %% wrong_rolled: Only shifts by a random number: neighbours stay neighbours.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    shift = torch.randint(1, max(len(rows), 2), ()).item()
    return rows.roll(shift, 0), labels.roll(shift, 0)


# %% wrong_sorted_by_label: Sorts by label, which is an order but no random one.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = labels.argsort()
    return rows[order], labels[order]


# %% wrong_swapped: Labels first, rows second.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randperm(len(rows))
    return labels[order], rows[order]


# %% wrong_with_repeats: Draws with repetition: some rows come twice, some never.
import torch


def shuffle_alike(rows, labels):
    """(rows, labels), shuffled by one random order."""
    order = torch.randint(len(rows), (len(rows),)) if len(rows) else torch.zeros(0, dtype=torch.long)
    return rows[order], labels[order]
