# %% right_any: A loop that asks whether any element differs.
def moved(before, model):
    names = []
    for name, tensor in model.state_dict().items():
        if bool((tensor != before[name]).any()):
            names.append(name)
    return names


# %% right_count: Counts the differing elements, and filters the names.
import torch


def moved(before, model):
    state = model.state_dict()

    def has_moved(name):
        return torch.count_nonzero(torch.ne(state[name], before[name])).item() > 0

    return list(filter(has_moved, state.keys()))


# %% right_lists: Compares nested lists of Python numbers.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if tensor.tolist() != before[name].tolist()]


# %% right_testing: PyTorch's own test function without tolerance, whose error means "moved".
import torch


def moved(before, model):
    names = []
    for name, tensor in model.state_dict().items():
        try:
            torch.testing.assert_close(tensor, before[name], rtol=0, atol=0)
        except AssertionError:
            names.append(name)
    return names


# %% wrong_alphabet: Sorts the names.
import torch


def moved(before, model):
    state = model.state_dict()
    return sorted(name for name in before if not torch.equal(before[name], state[name]))


# %% wrong_every_element: Names an entry only where all of its elements differ.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if (tensor != before[name]).all()]


# %% wrong_first_element: Looks at the first element of each entry alone.
def moved(before, model):
    names = []
    for name, tensor in model.state_dict().items():
        if tensor.flatten()[:1].tolist() != before[name].flatten()[:1].tolist():
            names.append(name)
    return names


# %% wrong_float32_compare: Compares in float32: a large counter and the last digits of float64 are rounded away.
import torch


def moved(before, model):
    names = []
    for name, tensor in model.state_dict().items():
        if not torch.equal(tensor.float(), before[name].float()):
            names.append(name)
    return names


# %% wrong_greatest_difference: Asks whether the greatest difference is above 0: with a NaN in it no comparison is true.
def moved(before, model):
    result = []
    for name, tensor in model.state_dict().items():
        if tensor.numel() and (tensor.double() - before[name].double()).abs().max() > 0:
            result.append(name)
    return result


# %% wrong_model_zeroed: Subtracts in place: the names are right, and the model is lost.
def moved(before, model):
    names = []
    for name, tensor in model.state_dict().items():
        if tensor.sub_(before[name]).ne(0).any():
            names.append(name)
    return names


# %% wrong_nearly_equal: Compares within a tolerance far below what rounding does, but above nothing.
import torch


def moved(before, model):
    return [
        name
        for name, tensor in model.state_dict().items()
        if not torch.allclose(tensor.double(), before[name].double(), rtol=0, atol=1e-12)
    ]


# %% wrong_no_counters: Looks at floating-point entries only: BatchNorm's counter is an integer.
import torch


def moved(before, model):
    state = model.state_dict()
    floats = [name for name in state if torch.is_floating_point(state[name])]
    return [name for name in floats if not torch.equal(state[name], before[name])]


# %% wrong_norm_of_difference: Takes the norm of the difference, whose squares of tiny numbers are 0.
def moved(before, model):
    result = []
    for name, tensor in model.state_dict().items():
        if (tensor.float() - before[name].float()).norm() > 0:
            result.append(name)
    return result


# %% wrong_objects: Asks whether it is the same tensor object: a copy never is.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if before[name] is not tensor]


# %% wrong_order_of_before: Goes through `before`, whose order need not be the model's.
import torch


def moved(before, model):
    state = model.state_dict()
    return [name for name, old in before.items() if not torch.equal(old, state[name])]


# %% wrong_paired_by_position: Pairs the entries by position, not by name.
import torch


def moved(before, model):
    pairs = zip(model.state_dict().items(), before.values(), strict=True)
    return [name for (name, new), old in pairs if new.shape != old.shape or not torch.equal(new, old)]


# %% wrong_parameters_then_buffers: All parameters first, then all buffers: not the order of the state dict.
import itertools

import torch


def moved(before, model):
    entries = itertools.chain(model.named_parameters(), model.named_buffers())
    return [name for name, tensor in entries if not torch.equal(tensor, before[name])]


# %% wrong_printed: Compares what would be printed: four digits.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if str(tensor) != str(before[name])]


# %% wrong_set: Returns a set of names, without any order.
import torch


def moved(before, model):
    return {name for name, tensor in model.state_dict().items() if not torch.equal(tensor, before[name])}


# %% wrong_shared_weights: Asks for parameters and buffers by name: a weight that two layers share is listed there once.
import torch


def moved(before, model):
    there = dict(model.named_parameters()) | dict(model.named_buffers())
    return [name for name in model.state_dict() if name in there and not torch.equal(there[name], before[name])]


# %% wrong_sums: Compares the sums: what one element gains and another loses goes unseen.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if tensor.sum() != before[name].sum()]


# %% wrong_trainable_only: Leaves out the parameters that need no gradient: a frozen one can move as well.
import torch


def moved(before, model):
    frozen = {name for name, parameter in model.named_parameters() if not parameter.requires_grad}
    return [
        name
        for name, tensor in model.state_dict().items()
        if name not in frozen and not torch.equal(tensor, before[name])
    ]


# %% wrong_nan_to_num: Replaces NaN before it compares: a 0 that became NaN looks unmoved.
import torch


def moved(before, model):
    names = []
    for name, tensor in model.state_dict().items():
        if not torch.equal(torch.nan_to_num(tensor), torch.nan_to_num(before[name])):
            names.append(name)
    return names


# %% wrong_difference_any: Subtracts: minus infinity less itself is NaN, and a NaN counts as True.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if (tensor.double() - before[name].double()).any()]


# %% wrong_bools_subtracted: Subtracts without a conversion, which booleans refuse.
def moved(before, model):
    return [name for name, tensor in model.state_dict().items() if (tensor - before[name]).abs().sum() != 0]


# %% wrong_clamped: Brings infinities back to the largest number before it compares.
import torch


def moved(before, model):
    def tame(tensor):
        return torch.nan_to_num(tensor, nan=-12345.0) if tensor.is_floating_point() else tensor

    return [
        name for name, tensor in model.state_dict().items() if not torch.equal(tame(tensor), tame(before[name]))
    ]


# %% wrong_compare_bits: Compares bytes, so 0 and -0 count as different.
import torch


def moved(before, model):
    def raw(tensor):
        return tensor.detach().reshape(-1).contiguous().view(torch.uint8)

    return [name for name, now in model.state_dict().items() if not torch.equal(raw(before[name]), raw(now))]


# %% wrong_doubles: Compares in double precision, which is too coarse for a counter above 2**53.
import torch


def moved(before, model):
    wide = torch.complex128
    return [
        name for name, new in model.state_dict().items() if not torch.equal(new.to(wide), before[name].to(wide))
    ]


# %% wrong_squares: Adds up squares in double precision: that of the smallest number is 0.
import torch


def moved(before, model):
    names = []
    for name, new in model.state_dict().items():
        old, changed = before[name], new != before[name]
        if new.dtype.is_floating_point and not new.isnan().any():
            apart = (new.double() - old.double())[changed]
            changed = (apart * apart).sum() > 0
        if changed.any():
            names.append(name)
    return names


# %% wrong_two_levels: Looks at the model's own entries and its children's, no deeper.
import torch


def moved(before, model):
    state = model.state_dict()
    return [name for name in state if name.count(".") <= 1 and not torch.equal(state[name], before[name])]


# %% wrong_real_parts: Of complex numbers it compares the real parts.
import torch


def moved(before, model):
    def real(tensor):
        return tensor.real if tensor.is_complex() else tensor

    return [name for name, new in model.state_dict().items() if not torch.equal(real(new), real(before[name]))]


# %% wrong_storages: Compares memory in the order in which it lies there, whatever the strides.
def moved(before, model):
    names = []
    for name, new in model.state_dict().items():
        if new.untyped_storage().tolist() != before[name].untyped_storage().tolist():
            names.append(name)
    return names


# %% wrong_numpy: Goes through NumPy, which has no bfloat16.
import numpy as np


def moved(before, model):
    return [n for n, t in model.state_dict().items() if not np.array_equal(t.numpy(), before[n].numpy())]
