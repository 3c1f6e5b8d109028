# %% right_match: Pattern matching, with generators and map.
import torch


def move_to(batch, device):
    again = lambda value: move_to(value, device)  # noqa: E731
    match batch:
        case torch.Tensor():
            return torch.Tensor.to(batch, device)
        case dict():
            return dict(zip(batch.keys(), map(again, batch.values()), strict=True))
        case list():
            return list(map(again, batch))
        case tuple():
            return tuple(map(again, batch))
    return batch


# %% right_singledispatch: One registered function for each type.
from functools import singledispatch

import torch


@singledispatch
def move_to(batch, device):
    return batch


@move_to.register
def _(batch: torch.Tensor, device):
    return batch.to(device=device)


@move_to.register
def _(batch: dict, device):
    return {key: move_to(value, device) for key, value in batch.items()}


@move_to.register(list)
@move_to.register(tuple)
def _(batch, device):
    return type(batch)(move_to(value, device) for value in batch)


# %% right_stack_of_work: No recursion: a list of work to do, and the tuples are closed at the end.
import torch


def move_to(batch, device):
    root = [batch]
    todo, tuples = [(root, 0)], []
    while todo:
        place, key = todo.pop()
        value = place[key]
        if isinstance(value, torch.Tensor):
            place[key] = value.to(device)
        elif isinstance(value, dict):
            place[key] = dict(value)
            todo.extend((place[key], inner) for inner in value)
        elif isinstance(value, (list, tuple)):
            place[key] = list(value)
            todo.extend((place[key], inner) for inner in range(len(value)))
            if isinstance(value, tuple):
                tuples.append((place, key))
    for place, key in reversed(tuples):
        place[key] = tuple(place[key])
    return root[0]


# %% right_tree_map: PyTorch's own tree functions, with nothing written by hand.
import torch
from torch.utils._pytree import tree_map_only


def move_to(batch, device):
    return tree_map_only(torch.Tensor, lambda tensor: tensor.to(device), batch)


# %% wrong_always_meta: Moves to meta, whatever device is asked for.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to("meta")
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_any_iterable: Every iterable but a string becomes a list: sets, ranges and bytes are not handed on.
from collections.abc import Iterable, Mapping

import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, Mapping):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, Iterable) and not isinstance(batch, str):
        moved = [move_to(value, device) for value in batch]
        return tuple(moved) if isinstance(batch, tuple) else moved
    return batch


# %% wrong_cache_by_id: Remembers moved tensors by id between calls, whatever the device was.
import torch

_moved = {}


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        if id(batch) not in _moved:
            _moved[id(batch)] = (batch, batch.to(device))
        return _moved[id(batch)][1]
    if isinstance(batch, dict):
        return {k: move_to(v, device) for k, v in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_to(v, device) for v in batch)
    return batch


# %% wrong_deepcopy_rest: What is not a tensor is copied instead of handed on.
import copy

import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return copy.deepcopy(batch)


# %% wrong_dict_in_place: Writes the moved tensors into the dict that was given.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        for key in batch:
            batch[key] = move_to(batch[key], device)
        return batch
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_to(value, device) for value in batch)
    return batch


# %% wrong_dict_of_none_dropped: Drops the entries of a dict that are None.
import torch


def move_to(batch, device):
    match batch:
        case torch.Tensor():
            return batch.to(device)
        case dict():
            return {k: move_to(v, device) for k, v in batch.items() if v is not None}
        case list() | tuple():
            return type(batch)(move_to(v, device) for v in batch)
        case _:
            return batch


# %% wrong_dicts_shallow_copy: Moves the tensors of a dict, but not those in lists within it.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        moved = batch.copy()
        for key, value in moved.items():
            if isinstance(value, (torch.Tensor, dict)):
                moved[key] = move_to(value, device)
        return moved
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_empty_like: Right place, shape and dtype, but the numbers are not copied.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return torch.empty_like(batch, device=device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_exact_type: A Parameter is a tensor too, but its type is not exactly Tensor.
import torch


def move_to(batch, device):
    if type(batch) is torch.Tensor:
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_float32: Casts every tensor to float32 on the way.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device=device, dtype=torch.float32)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_hasattr_to: Moves everything that has a `to`, a module among them, which is neither tensor nor container.
def move_to(batch, device):
    if hasattr(batch, "to"):
        return batch.to(device)
    elif isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    elif isinstance(batch, (list, tuple)):
        return type(batch)([move_to(value, device) for value in batch])
    else:
        return batch


# %% wrong_item: A tensor with one number becomes a number.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device) if batch.ndim else batch.item()
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_list_in_place: Writes the moved tensors into the list that was given.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        batch[:] = [move_to(value, device) for value in batch]
        return batch
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_numbers_to_tensors: Numbers become tensors on the device.
import torch


def move_to(batch, device):
    if isinstance(batch, (int, float)):
        return torch.tensor(batch, device=device)
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_numpy_converted: Turns arrays of NumPy into tensors instead of handing them on.
import numpy as np
import torch


def move_to(batch, device):
    if isinstance(batch, np.ndarray):
        return torch.from_numpy(batch).to(device)
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_only_floats: Leaves tensors of whole numbers and booleans behind.
import torch


def move_to(batch, device):
    if torch.is_tensor(batch) and batch.is_floating_point():
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_pair_forgets_tuple_tail: Takes a tuple for a pair and forgets what follows.
import torch


def move_to(batch, device):
    if isinstance(batch, tuple) and len(batch) >= 2:
        first, second, *_ = batch
        return move_to(first, device), move_to(second, device)
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, list):
        return [move_to(item, device) for item in batch]
    if isinstance(batch, dict):
        return {name: move_to(item, device) for name, item in batch.items()}
    return batch


# %% wrong_stacked: A list of equally large tensors is stacked into one tensor.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        moved = [move_to(value, device) for value in batch]
        alike = moved and all(torch.is_tensor(m) and m.shape == moved[0].shape for m in moved)
        return torch.stack(moved) if alike else moved
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_string_keys: Makes words of a dict's keys, so numbers as keys are lost.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {f"{key}": move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_tuple_to_list: Tuples come back as lists.
import torch


def move_to(batch, device):
    if torch.is_tensor(batch):
        return batch.to(device)
    if isinstance(batch, dict):
        return {k: move_to(v, device) for k, v in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [move_to(v, device) for v in batch]
    return batch


# %% wrong_two_levels: Looks into the batch and one level further, no deeper.
import torch


def put_there(value, device):
    return value.to(device) if isinstance(value, torch.Tensor) else value


def level(value, device, inner):
    if isinstance(value, dict):
        return {k: inner(v, device) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(inner(v, device) for v in value)
    return put_there(value, device)


def move_to(batch, device):
    return level(batch, device, lambda value, where: level(value, where, put_there))


# %% wrong_zeros_shape: Builds zeros of the shape on the device, in the default dtype.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return torch.zeros(batch.shape, device=device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_to(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_to(value, device) for value in batch)
    return batch


# %% wrong_falsy_to_none: What `or` takes for nothing becomes None.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_to(value, device) for value in batch)
    return batch or None


# %% wrong_meta_or_stays: Knows meta and nothing else; for any other device a tensor stays.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to("meta") if device.type == "meta" else batch
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_to(value, device) for value in batch)
    return batch


# %% wrong_detached: Moves the values and cuts the record of gradients.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.detach().to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_to(value, device) for value in batch)
    return batch


# %% wrong_index_dropped: Moves to the kind of device, whichever its number.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device.type)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_to(value, device) for value in batch)
    return batch


# %% wrong_empty_ones_as_they_are: An empty list or dict is handed back itself.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, (dict, list, tuple)) and len(batch) == 0:
        return batch
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_to(value, device) for value in batch)
    return batch


# %% wrong_moves_modules: Moves a module in place, which is none of the batch's tensors.
import torch
from torch import nn


def move_to(batch, device):
    if isinstance(batch, (torch.Tensor, nn.Module)):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_to(value, device) for value in batch)
    return batch


# %% wrong_keys_sorted: Brings the keys of a dict into another order.
import torch


def move_to(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_to(batch[key], device) for key in sorted(batch, key=str)}
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_to(value, device) for value in batch)
    return batch


# %% wrong_nine_levels: Follows a batch nine levels down and stops there.
import torch


def move_to(batch, device, depth=9):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if depth == 0:
        return batch
    if isinstance(batch, dict):
        return {key: move_to(value, device, depth - 1) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_to(value, device, depth - 1) for value in batch)
    return batch
