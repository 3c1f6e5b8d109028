# %% right_as_strided: Strides and offset written out.
def windows(tokens, length):
    n, step = len(tokens) - length, tokens.stride(0)
    first = tokens.storage_offset()
    x = tokens.as_strided((n, length), (step, step), first)
    y = tokens.as_strided((n, length), (step, step), first + step)
    return x, y


# %% right_two_unfolds: Each of the two unfolded by itself.
def windows(tokens, length):
    return tokens[:-1].unfold(0, length, 1), tokens[1:].unfold(0, length, 1)


# %% right_narrowed: One view, narrowed.
import torch


def windows(tokens, length):
    both = torch.Tensor.unfold(tokens, 0, length + 1, 1)
    return [both.narrow(1, 0, length), both.narrow(1, 1, length)]


# %% wrong_indexed: An index of places copies.
import torch


def windows(tokens, length):
    places = torch.arange(len(tokens) - length)[:, None] + torch.arange(length)
    return tokens[places], tokens[places + 1]


# %% wrong_contiguous: Views, and then made contiguous.
def windows(tokens, length):
    every = tokens.unfold(0, length + 1, 1)
    return every[:, :-1].contiguous(), every[:, 1:].contiguous()


# %% wrong_only_y_copied: The targets are cloned.
def windows(tokens, length):
    every = tokens.unfold(0, length + 1, 1)
    return every[:, :-1], every[:, 1:].clone()


# %% wrong_targets_two_later: Off by one more.
def windows(tokens, length):
    every = tokens.unfold(0, length + 2, 1)
    return every[:, :-2], every[:, 2:]


# %% wrong_last_letter_only: Only the letter behind the window as a target.
def windows(tokens, length):
    return tokens[:-1].unfold(0, length, 1), tokens[length:]


# %% wrong_turned: A window is a column.
def windows(tokens, length):
    every = tokens.unfold(0, length + 1, 1)
    return every[:, :-1].T, every[:, 1:].T


# %% wrong_one_tensor: Both in one.
def windows(tokens, length):
    return tokens.unfold(0, length + 1, 1)


# %% wrong_swapped: The targets come first.
def windows(tokens, length):
    every = tokens.unfold(0, length + 1, 1)
    return every[:, 1:], every[:, :-1]


# %% wrong_storage_zero: as_strided of a slice, from the slice's own offset but with step one.
import torch


def windows(tokens, length):
    n = tokens.numel() - length
    return (
        torch.as_strided(tokens, (n, length), (1, 1)),
        torch.as_strided(tokens[1:], (n, length), (1, 1)),
    )


# %% wrong_rolled: The last window's target is the first letter.
import torch


def windows(tokens, length):
    return tokens.unfold(0, length, 1), torch.roll(tokens, -1).unfold(0, length, 1)


# %% right_as_strided_explicit: Strides and offset by hand.
import torch


def windows(tokens, length):
    rows = tokens.shape[0] - length
    stride = tokens.stride(0)
    offset = tokens.storage_offset()
    x = torch.as_strided(tokens, (rows, length), (stride, stride), offset)
    y = torch.as_strided(tokens, (rows, length), (stride, stride), offset + stride)
    return x, y


# %% right_narrow: Two narrowed texts, each unfolded.
def windows(tokens, length):
    inputs = tokens.narrow(0, 0, len(tokens) - 1)
    targets = tokens.narrow(0, 1, len(tokens) - 1)
    return inputs.unfold(0, length, 1), targets.unfold(0, length, 1)


# %% wrong_contiguous_first: A strided text is copied by contiguous.
def windows(tokens, length):
    tokens = tokens.contiguous()
    n = len(tokens) - length
    return tokens.as_strided((n, length), (1, 1)), tokens[1:].as_strided((n, length), (1, 1))


# %% wrong_stride_one: Takes the stride for 1.
def windows(tokens, length):
    n = len(tokens) - length
    x = tokens.as_strided((n, length), (1, 1))
    y = tokens[1:].as_strided((n, length), (1, 1))
    return x, y


# %% wrong_offset_zero: Forgets that the text may begin inside its storage.
def windows(tokens, length):
    n, s = len(tokens) - length, tokens.stride(0)
    x = tokens.as_strided((n, length), (s, s), 0)
    y = tokens.as_strided((n, length), (s, s), s)
    return x, y


# %% wrong_one_row_short: The last window is missing.
def windows(tokens, length):
    n, s = len(tokens) - length - 1, tokens.stride(0)
    return tokens.as_strided((n, length), (s, s)), tokens[1:].as_strided((n, length), (s, s))


# %% wrong_to_long: Turns other dtypes to int64, which copies.
def windows(tokens, length):
    tokens = tokens.long()
    every = tokens.unfold(0, length, 1)
    return every[:-1], every[1:]


# %% wrong_rolled_targets: y has the right numbers, in a copy.
def windows(tokens, length):
    x = tokens.unfold(0, length, 1)
    y = tokens.roll(-1).unfold(0, length, 1)
    return x[:-1], y[:-1]


# %% wrong_by_numpy: No NumPy dtype for bfloat16.
import torch


from numpy.lib.stride_tricks import sliding_window_view


def windows(tokens, length):
    every = torch.from_numpy(sliding_window_view(tokens.numpy(), length, writeable=True))
    return every[:-1], every[1:]


# %% wrong_stacked_slices: Stacks slices, so every number is copied.
import torch


def windows(tokens, length):
    rows = len(tokens) - length
    x = torch.stack([tokens[i : i + length] for i in range(rows)])
    y = torch.stack([tokens[i + 1 : i + 1 + length] for i in range(rows)])
    return x, y


# %% wrong_offset_zero_2: Starts at the storage's first number, not at the tokens' own.
import torch


def windows(tokens, length):
    size = (len(tokens) - length, length)
    step = tokens.stride(0)
    x = torch.as_strided(tokens, size, (step, step), 0)
    y = torch.as_strided(tokens, size, (step, step), step)
    return x, y


# %% wrong_y_one_in_storage: y begins one number of the storage later, not one token.
def windows(tokens, length):
    size = (len(tokens) - length, length)
    step, start = tokens.stride(0), tokens.storage_offset()
    x = tokens.as_strided(size, (step, step), start)
    y = tokens.as_strided(size, (step, step), start + 1)
    return x, y


# %% wrong_contiguous_first_2: Copies where the tokens are not contiguous.
def windows(tokens, length):
    every = tokens.contiguous().unfold(0, length, 1)
    return every[:-1], every[1:]


# %% wrong_long_first: `long()` copies, and changes the dtype, unless it is int64 already.
def windows(tokens, length):
    tokens = tokens.long()
    return tokens[:-1].unfold(0, length, 1), tokens[1:].unfold(0, length, 1)


# %% wrong_by_numpy_2: NumPy has no bfloat16, so not any dtype.
import torch

import numpy as np


def windows(tokens, length):
    every = np.lib.stride_tricks.sliding_window_view(tokens.numpy(), length, writeable=True)
    every = torch.from_numpy(every)
    return every[:-1], every[1:]


# %% wrong_last_window_lost: One window too few at the end.
def windows(tokens, length):
    rows = len(tokens) - length - 1
    every = tokens.unfold(0, length, 1)
    return every[:rows], every[1 : rows + 1]


# %% right_unfold_one_longer: Windows one longer, cut at either end.
def windows(tokens, length):
    both = tokens.unfold(0, length + 1, 1)
    x = both[:, :-1]
    y = both[:, 1:]
    return x, y


# %% right_as_strided_2: Strides and offset by hand.
import torch


def windows(tokens, length):
    rows = len(tokens) - length
    step = tokens.stride(0)
    start = tokens.storage_offset()
    size, strides = (rows, length), (step, step)
    x = torch.as_strided(tokens, size, strides, start)
    y = torch.as_strided(tokens, size, strides, start + step)
    return x, y


# %% wrong_gather_copies: Gathers by a table of numbers, which copies.
import torch


def windows(tokens, length):
    rows = torch.arange(len(tokens) - length, device=tokens.device)[:, None]
    places = rows + torch.arange(length, device=tokens.device)
    return tokens[places], tokens[places + 1]


# %% wrong_strides_one: Takes the stride of the tokens to be 1.
def windows(tokens, length):
    size = (len(tokens) - length, length)
    start = tokens.storage_offset()
    return tokens.as_strided(size, (1, 1), start), tokens.as_strided(size, (1, 1), start + 1)


# %% wrong_offset_forgotten: y's offset is counted from the start of the storage, not of the slice.
def windows(tokens, length):
    size = (len(tokens) - length, length)
    stride = tokens.stride(0)
    x = tokens.as_strided(size, (stride, stride))
    y = tokens.as_strided(size, (stride, stride), stride)
    return x, y


# %% wrong_unsqueeze_in_place: The caller's tokens are 2-D afterwards.
def windows(tokens, length):
    tokens.unsqueeze_(0)
    every = tokens.unfold(1, length, 1)[0]
    return every[:-1], every[1:]


# %% wrong_made_long: `long()` copies and changes the type of everything but int64.
def windows(tokens, length):
    tokens = tokens.long()
    x = tokens[:-1].unfold(0, length, 1)
    y = tokens[1:].unfold(0, length, 1)
    return x, y


# %% right_unfold: Short, by `unfold` alone.
def windows(tokens, length):
    every = tokens.unfold(0, length, 1)
    return every[:-1], every[1:]


# %% right_as_strided_3: Explicit sizes, strides and offsets.
import torch


def windows(tokens, length):
    count = len(tokens) - length
    stride = tokens.stride(0)
    start = tokens.storage_offset()
    x = torch.as_strided(tokens, (count, length), (stride, stride), start)
    y = torch.as_strided(tokens, (count, length), (stride, stride), start + stride)
    return x, y


# %% right_one_longer: Windows of one letter more, cut left and right.
def windows(tokens, length):
    pairs = tokens.unfold(dimension=0, size=length + 1, step=1)
    return pairs[:, :-1], pairs[:, 1:]
