# %% right_element_size: The method of the tensor instead of the attribute of its dtype.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return x.element_size() * x.nelement()


# %% right_product_of_sizes: The sizes multiplied by hand.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    count = 1
    for size in x.shape:
        count *= size
    return count * x.dtype.itemsize


# %% right_attribute: The attribute that PyTorch has for it.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return x.nbytes


# %% right_as_numpy_does: By way of a copy in reading order, whose storage is its own.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return x.clone(memory_format=torch.contiguous_format).untyped_storage().nbytes()


# %% wrong_getsizeof: The bytes of Python's object, not of its elements.
import sys

import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return sys.getsizeof(x)


# %% wrong_size_of_one: The bytes of one element.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return x.dtype.itemsize


# %% wrong_shape: The shape, times the bytes of one element, which repeats it.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return x.shape * x.dtype.itemsize


# %% wrong_rows_and_columns: Right for tables, and for nothing else.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return x.shape[0] * x.shape[1] * x.dtype.itemsize


# %% wrong_last_axis: The bytes of one row.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return (x.shape[-1] if x.dim() else 1) * x.dtype.itemsize


# %% wrong_by_name: The bits out of the dtype's name; bool has none.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    digits = "".join(letter for letter in str(x.dtype) if letter.isdigit())
    return x.numel() * int(digits or 8)


# %% wrong_finfo: The bits of a float; a whole number has none of these.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return x.numel() * torch.finfo(x.dtype).bits // 8


# %% wrong_by_strides: The first axis and its stride: right where the memory is read from end to end.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return (x.shape[0] * x.stride(0) if x.dim() else 1) * x.dtype.itemsize


# %% right_as_tensor: As a tensor of one number.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return torch.tensor(x.numel() * x.dtype.itemsize)


# %% wrong_kilobytes: In units of 1024 bytes.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    return x.numel() * x.dtype.itemsize / 1024


# %% wrong_printed: Printed and not returned.
import torch


def bytes_of(x):
    """How many bytes the elements of a tensor take together."""
    print(x.numel() * x.dtype.itemsize)
