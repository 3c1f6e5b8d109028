# %% right_all_shapes_at_once: Compares the two lists of shapes in one go, which holds the length too.
from collections import OrderedDict


def match_names(theirs, ours):
    def shapes(state):
        return [tuple(tensor.shape) for tensor in state.values()]

    if shapes(theirs) != shapes(ours):
        raise ValueError("The lists do not fit.")
    return OrderedDict((name, tensor) for name, tensor in zip(ours, theirs.values()))


# %% right_longest: The longest zip, where a missing partner shows as None.
from itertools import zip_longest


def match_names(theirs, ours):
    result = {}
    for name, other in zip_longest(ours, theirs.values()):
        if name is None or other is None or ours[name].shape != other.shape:
            raise ValueError("no partner, or one of another shape")
        result[name] = other
    return result


# %% right_positions: Lists and positions.
def match_names(theirs, ours):
    names, tensors = list(ours), list(theirs.values())
    if len(names) != len(tensors):
        raise ValueError(f"{len(tensors)} of theirs, {len(names)} of ours")
    result = {}
    for i in range(len(names)):
        if tuple(tensors[i].size()) != tuple(ours[names[i]].size()):
            raise ValueError(f"entry {i}")
        result[names[i]] = tensors[i]
    return result


# %% right_strict: Two strict zips: one to check, one to build.
def match_names(theirs, ours):
    if any(own.shape != other.shape for own, other in zip(ours.values(), theirs.values(), strict=True)):
        raise ValueError("The shapes of a pair differ.")
    return dict(zip(ours.keys(), theirs.values(), strict=True))


# %% wrong_alphabet: Sorts both lists of names and pairs those.
def match_names(theirs, ours):
    if len(theirs) != len(ours):
        raise ValueError("lengths")
    result = {}
    for name, their_name in zip(sorted(ours), sorted(theirs)):
        if ours[name].shape != theirs[their_name].shape:
            raise ValueError(name)
        result[name] = theirs[their_name]
    return result


# %% wrong_asserted: An assert raises an AssertionError, which is no ValueError.
def match_names(theirs, ours):
    assert len(theirs) == len(ours)
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values()):
        assert own.shape == other.shape, name
        result[name] = other
    return result


# %% wrong_broadcast: Accepts what broadcasts to our shape.
import torch


def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        try:
            fits = torch.broadcast_shapes(own.shape, other.shape) == own.shape
        except RuntimeError:
            fits = False
        if not fits:
            raise ValueError(name)
        result[name] = other
    return result


# %% wrong_by_shape: Gives each of ours the first unused tensor of its shape, at whatever position.
def match_names(theirs, ours):
    if len(theirs) != len(ours):
        raise ValueError("lengths")
    unused, result = list(theirs.values()), {}
    for name, own in ours.items():
        for number, other in enumerate(unused):
            if other.shape == own.shape:
                result[name] = unused.pop(number)
                break
        else:
            raise ValueError(name)
    return result


# %% wrong_copies: Returns copies of their tensors.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.shape != other.shape:
            raise ValueError(name)
        result[name] = other.clone()
    return result


# %% wrong_dimensions: Compares the numbers of dimensions only.
def match_names(theirs, ours):
    pairs = list(zip(ours.items(), theirs.values(), strict=True))
    if any(own.ndim != other.ndim for (_, own), other in pairs):
        raise ValueError("shapes differ")
    return {name: other for (name, _), other in pairs}


# %% wrong_empty_refused: Raises for two empty dictionaries too.
def match_names(theirs, ours):
    if not theirs or len(theirs) != len(ours):
        raise ValueError("nothing to match")
    for other, own in zip(theirs.values(), ours.values()):
        if list(other.shape) != list(own.shape):
            raise ValueError("shapes")
    return dict(zip(ours.keys(), theirs.values()))


# %% wrong_extra_allowed: Raises only where theirs are too few; entries too many are dropped.
def match_names(theirs, ours):
    others = iter(theirs.values())
    result = {}
    for name, own in ours.items():
        other = next(others, None)
        if other is None or other.shape != own.shape:
            raise ValueError(name)
        result[name] = other
    return result


# %% wrong_last_unchecked: Checks the shapes of all pairs but the last.
def match_names(theirs, ours):
    their_tensors, names = list(theirs.values()), list(ours)
    if len(their_tensors) != len(names):
        raise ValueError("lengths")
    for i in range(len(names) - 1):
        if their_tensors[i].shape != ours[names[i]].shape:
            raise ValueError(names[i])
    return {names[i]: their_tensors[i] for i in range(len(names))}


# %% wrong_numbers_copied: Copies their numbers into our tensors.
def match_names(theirs, ours):
    if len(theirs) != len(ours) or [t.shape for t in theirs.values()] != [t.shape for t in ours.values()]:
        raise ValueError("the lists differ")
    return {name: own.copy_(other) for (name, own), other in zip(ours.items(), theirs.values())}


# %% wrong_numbers_of_elements: Compares how many elements there are, not the shapes.
def match_names(theirs, ours):
    if len(theirs) != len(ours):
        raise ValueError("different numbers of entries")
    matched = {}
    for (name, own), other in zip(ours.items(), theirs.values()):
        if own.numel() != other.numel():
            raise ValueError(name)
        matched[name] = other
    return matched


# %% wrong_our_dtype: Casts theirs to our dtype.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.size() != other.size():
            raise ValueError(name)
        result[name] = other.to(own.dtype)
    return result


# %% wrong_reshaped: Reshapes theirs to our shape instead of raising.
def match_names(theirs, ours):
    matched = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        try:
            matched[name] = other if other.shape == own.shape else other.reshape(own.shape)
        except RuntimeError as error:
            raise ValueError(name) from error
    return matched


# %% wrong_runtime_error: Raises a RuntimeError where a shape differs, as load_state_dict does.
def match_names(theirs, ours):
    for own, other in zip(ours.values(), theirs.values(), strict=True):
        if own.shape != other.shape:
            raise RuntimeError(f"size mismatch: {own.shape} and {other.shape}")
    return dict(zip(ours, theirs.values()))


# %% wrong_same_name_first: Takes the tensor of the same name where there is one, and the position elsewhere.
def match_names(theirs, ours):
    result = {}
    for (name, own), (their_name, other) in zip(ours.items(), theirs.items(), strict=True):
        if own.shape != other.shape:
            raise ValueError(f"{their_name} and {name}")
        candidate = theirs.get(name, other)
        result[name] = candidate if candidate.shape == own.shape else other
    return result


# %% wrong_same_shapes_somewhere: Compares the shapes as a heap: the same shapes in another order pass.
from collections import Counter


def match_names(theirs, ours):
    if Counter(t.shape for t in theirs.values()) != Counter(t.shape for t in ours.values()):
        raise ValueError("the shapes differ")
    return dict(zip(ours, theirs.values()))


# %% wrong_scalars_skipped: Leaves out the counters, which have no dimensions.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.shape != other.shape:
            raise ValueError(name)
        if own.ndim > 0:
            result[name] = other
    return result


# %% wrong_squeezed: Takes (1,) and () for the same shape.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.squeeze().shape != other.squeeze().shape:
            raise ValueError(f"{name}: {tuple(own.shape)} and {tuple(other.shape)}")
        result[name] = other
    return result


# %% wrong_stops_at_a_difference: Where a shape differs it returns what it has so far.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.shape != other.shape:
            return result
        result[name] = other
    return result


# %% wrong_theirs_emptied: Takes their tensors out of their dictionary one by one.
def match_names(theirs, ours):
    if len(theirs) != len(ours):
        raise ValueError("lengths")
    result = {}
    for name in ours:
        result[name] = theirs.pop(next(iter(theirs)))
        if result[name].shape != ours[name].shape:
            raise ValueError(name)
    return result


# %% wrong_transposed: Turns a matrix that lies the other way round instead of raising.
def match_names(theirs, ours):
    result = {}
    for (name, own), other in zip(ours.items(), theirs.values(), strict=True):
        if own.shape != other.shape and own.ndim == 2 and own.shape == other.T.shape:
            other = other.T
        if own.shape != other.shape:
            raise ValueError(name)
        result[name] = other
    return result


# %% wrong_written_into_ours: Writes into our dictionary and returns it.
def match_names(theirs, ours):
    for (name, own), other in zip(list(ours.items()), theirs.values(), strict=True):
        if own.shape != other.shape:
            raise ValueError(name)
        ours[name] = other
    return ours
