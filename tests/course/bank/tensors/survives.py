# %% right_not_equal: Asks for those that differ, and turns it round.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    back = values.to(dtype=dtype).to(dtype=values.dtype)
    return ~back.ne(values)


# %% right_difference: The difference is 0; an infinity by itself.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    back = values.to(dtype).type_as(values)
    return torch.where(back == values, True, False)


# %% right_numbers_one_by_one: Python's own numbers, which compare exactly.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    there = values.to(dtype).flatten().tolist()
    same = [a == b for a, b in zip(values.flatten().tolist(), there, strict=True)]
    return torch.tensor(same, dtype=torch.bool).reshape(values.shape)


# %% right_isclose_exact: `isclose` without any tolerance.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    return torch.isclose(values.to(dtype).to(values.dtype), values, rtol=0, atol=0)


# %% wrong_difference_zero: Infinity minus infinity is nan.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    return values.to(dtype).to(values.dtype) - values == 0


# %% wrong_finite: Only what is finite afterwards.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    return torch.isfinite(values.to(dtype))


# %% wrong_by_digits: Compares ten printed digits.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    back = values.to(dtype).to(values.dtype).flatten().tolist()
    old = values.flatten().tolist()
    return torch.tensor([f"{a:.10g}" == f"{b:.10g}" for a, b in zip(old, back, strict=True)]).reshape(values.shape)


# %% wrong_eps: Within eps of the type.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    back = values.to(dtype).to(values.dtype)
    return (back - values).abs() <= torch.finfo(dtype).eps


# %% wrong_whole_numbers_by_digits: Whole numbers up to 2 to the bits of the grid, others by the trip.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    if values.is_floating_point():
        return values.to(dtype).to(values.dtype) == values
    return values.abs() <= 2 / torch.finfo(dtype).eps


# %% wrong_size_of_type: A type with as many bytes keeps all.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    if dtype.itemsize >= values.dtype.itemsize:
        return torch.ones(values.shape, dtype=torch.bool)
    return values.to(dtype).to(values.dtype) == values


# %% wrong_can_cast: Asks torch about the types, not about the numbers.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    return torch.full(values.shape, torch.can_cast(values.dtype, dtype))


# %% wrong_float_result: Ones and zeros in the dtype of the values.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    return (values.to(dtype).to(values.dtype) == values).to(values.dtype)


# %% wrong_flat: Loses the shape.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    flat = values.flatten()
    return flat.to(dtype).to(values.dtype) == flat


# %% wrong_by_view: A flat view, which a table read by columns refuses.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    flat = values.view(-1)
    return (flat.to(dtype).to(values.dtype) == flat).view(values.shape)


# %% wrong_float32_first: Starts the trip in float32.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    first = values.to(torch.float32)
    return first.to(dtype).to(torch.float32) == first


# %% wrong_no_subnormals: Calls what is below the smallest normal number lost.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    back = values.to(dtype).to(values.dtype)
    lost = (values != 0) & (values.abs() < torch.finfo(dtype).tiny)
    return (back == values) & ~lost


# %% wrong_infinity_lost: Counts infinities as lost.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    back = values.to(dtype).to(values.dtype)
    return (back == values) & (values.abs() != float("inf"))


# %% wrong_numpy: Through NumPy, which has no bfloat16.
import numpy


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    array = values.numpy()
    kind = str(dtype).removeprefix("torch.")
    return torch.from_numpy(numpy.asarray(array.astype(kind).astype(array.dtype) == array))


# %% wrong_in_place: Writes the traveller back into what was given.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    old = values.clone()
    values.copy_(values.to(dtype))
    return values == old


# %% wrong_list: A list of bools.
import torch


def survives(values, dtype):
    """True where a number is the same after a trip to `dtype` and back."""
    return (values.to(dtype).to(values.dtype) == values).tolist()
