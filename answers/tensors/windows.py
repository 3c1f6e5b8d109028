# %% right_unfold: The method made for it.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    return x.unfold(0, size, step)


# %% right_torch_as_strided: Names the offset as well.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    starts = range(0, len(x) - size + 1, step)
    stride = x.stride()[0]
    return torch.as_strided(x, (len(starts), size), (stride * step, stride), x.storage_offset())


# %% right_every_window_then_some: All windows, then every step-th row.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    (stride,) = x.stride()
    all_of_them = x.as_strided((x.numel() - size + 1, size), (stride, stride))
    return all_of_them[::step]


# %% right_set: A tensor laid on the storage by `set_`.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    (stride,) = x.stride()
    count = 1 + (len(x) - size) // step
    rows = torch.empty(0, dtype=x.dtype)
    return rows.set_(x.untyped_storage(), x.storage_offset(), (count, size), (step * stride, stride))


# %% wrong_index_table: Indexes with a table of places: a copy.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    places = torch.arange(0, len(x) - size + 1, step)[:, None] + torch.arange(size)
    return x[places]


# %% wrong_list_of_views: A list of slices, no table.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    return [x[i : i + size] for i in range(0, len(x) - size + 1, step)]


# %% wrong_contiguous_first: A copy in reading order, then strides.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    y = x.contiguous()
    return y.as_strided(((len(y) - size) // step + 1, size), (step, 1))


# %% wrong_copy_of_strided: Contiguous, then windows of it.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    y = x.clone()
    return y.unfold(0, size, step)


# %% wrong_rounded_up: Rounds the number of windows up.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    count = -(-(len(x) - size) // step) + 1
    s = x.stride(0)
    room = x.untyped_storage().nbytes() // x.element_size()
    needed = x.storage_offset() + ((count - 1) * step + size - 1) * s
    count = count if needed < room else count - 1
    return x.as_strided((count, size), (step * s, s))


# %% wrong_transposed: Windows in columns.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    return x.unfold(0, size, step).T


# %% wrong_stride_only_once: The windows' step in elements of the storage.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    return x.as_strided(((len(x) - size) // step + 1, size), (step, x.stride(0)))


# %% wrong_length_by_step: L // step windows.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    s = x.stride(0)
    return x.as_strided((len(x) // step, size), (step * s, s))


# %% wrong_as_bytes: Counts strides in bytes, as NumPy does.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    s = x.stride(0) * x.element_size()
    return x.as_strided(((len(x) - size) // step + 1, size), (step * s, s))


# %% wrong_view: Cuts into rows that do not overlap.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    count = (len(x) - size) // step + 1
    return x[: count * size].view(count, size)


# %% wrong_numpy: NumPy's windows, copied; it knows no bfloat16.
import numpy
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    found = numpy.lib.stride_tricks.sliding_window_view(x.numpy(), size)[::step]
    return torch.from_numpy(found.copy())


# %% wrong_offset_lost: The storage from its start, in the type of x.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    whole = torch.empty(0, dtype=x.dtype).set_(x.untyped_storage())
    return whole.unfold(0, size, step)


# %% wrong_last_dropped_when_exact: Stops one element before the end.
import torch


def windows(x, size, step):
    """(L,) to (number of windows, size), sharing the storage of x."""
    return x[:-1].unfold(0, size, step) if len(x) > size else x.unfold(0, size, step)


# %% wrong_contiguous_first_too: Makes a strided x contiguous first, which is a copy and not the storage of x.
def windows(x, size, step):
    x = x.contiguous()
    n = (x.shape[0] - size) // step + 1
    return x.as_strided((n, size), (step, 1))


# %% wrong_stride_one: Takes for granted that neighbours in x are neighbours in storage.
import torch


def windows(x, size, step):
    n = (len(x) - size) // step + 1
    return torch.as_strided(x, (n, size), (step, 1))


# %% wrong_offset_zero: Starts at the beginning of the storage instead of the beginning of x.
import torch


def windows(x, size, step):
    n = (len(x) - size) // step + 1
    s = x.stride(0)
    return torch.as_strided(x, (n, size), (step * s, s), 0)


# %% wrong_numpy_too: Sliding windows of NumPy, which has no bfloat16.
import warnings
import numpy as np
import torch


def windows(x, size, step):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.from_numpy(np.lib.stride_tricks.sliding_window_view(x.numpy(), size)[::step])


# %% wrong_index_table_too: Right numbers through a table of indices, which copies.
import torch


def windows(x, size, step):
    starts = torch.arange(0, len(x) - size + 1, step)
    return x[starts[:, None] + torch.arange(size)]


# %% wrong_last_window_lost: Counts the steps between windows and forgets the last one.
def windows(x, size, step):
    n = (len(x) - size) // step
    return x.unfold(0, size, 1)[: n * step : step]


# %% wrong_four_bytes: Finds the place of x from its address, in numbers of four bytes, so float64 and int16 start elsewhere.
import torch


def windows(x, size, step):
    offset = (x.data_ptr() - x.untyped_storage().data_ptr()) // 4
    n = (x.numel() - size) // step + 1
    s = x.stride(0)
    return torch.as_strided(x, (n, size), (step * s, s), offset)


# %% wrong_row_stride: The stride of x enters the columns but not the rows.
import torch


def windows(x, size, step):
    n = (x.numel() - size) // step + 1
    return torch.as_strided(x, (n, size), (step, x.stride(0)), x.storage_offset())


# %% right_all_then_every: Windows at every place, then every step-th row of them.
def windows(x, size, step):
    return x[None].unfold(-1, size, 1)[0, ::step]


# %% right_strides_by_hand: As_strided with the stride and offset of x.
def windows(x, size, step):
    (length,), (s,) = x.shape, x.stride()
    rows = len(range(0, length - size + 1, step))
    return x.as_strided(size=(rows, size), stride=(s * step, s), storage_offset=x.storage_offset())


# %% right_transpose: Unfold the other way round, places by offset within the window, then transposed.
def windows(x, size, step):
    span = (len(x) - size) // step * step + 1
    return x.unfold(0, span, 1)[:size, ::step].mT


# %% wrong_through_numpy: Strides by NumPy, which does not know bfloat16.
import numpy as np
import torch


def windows(x, size, step):
    a = x.detach().numpy()
    n = (a.shape[0] - size) // step + 1
    b = np.lib.stride_tricks.as_strided(a, (n, size), (step * a.strides[0], a.strides[0]))
    return torch.from_numpy(b)
