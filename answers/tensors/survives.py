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


# %% wrong_finite_only: Calls every infinity lost, although one that comes back has survived.
import torch


def survives(values, dtype):
    trip = values.to(dtype)
    return torch.isfinite(trip) & (trip.to(values.dtype) == values)


# %% wrong_back_to_double: Comes back to float64 and compares there, so 2**53 + 1 as int64 seems to survive.
import torch


def survives(values, dtype):
    return values.to(dtype).to(torch.float64) == values.to(torch.float64)


# %% wrong_through_float32: Float64 goes through float32 first, so 1 + 2**-40 is lost even on a trip to float64.
import torch


def survives(values, dtype):
    if not values.is_floating_point():
        return values.to(dtype).to(values.dtype) == values
    small = values.to(torch.float32)
    return small.to(dtype).to(torch.float32) == small


# %% wrong_flat_list: Reads number by number and loses the shape for anything but one dimension.
import torch


def survives(values, dtype):
    there = values.to(dtype).to(values.dtype).flatten().tolist()
    return torch.tensor([a == b for a, b in zip(there, values.flatten().tolist())], dtype=torch.bool)


# %% right_python_numbers: Python compares int and float exactly, number by number.
import torch


def survives(values, dtype):
    trip = values.to(dtype).to(torch.float64).flatten().tolist()
    same = [a == b for a, b in zip(trip, values.flatten().tolist())]
    return torch.tensor(same, dtype=torch.bool, device=values.device).reshape(values.shape)


# %% right_copy_buffers: Two buffers filled by copy_, then not smaller and not larger.
import torch


def survives(values, dtype):
    there = torch.empty(values.shape, dtype=dtype)
    there.copy_(values.detach())
    back = torch.empty(values.shape, dtype=values.dtype)
    back.copy_(there)
    return torch.logical_not((back < values) | (back > values))


# %% right_xor_ne: Not unequal, with type_as and the operator for inversion.
survives = lambda values, dtype: ~(values.type(dtype).type_as(values) != values)
