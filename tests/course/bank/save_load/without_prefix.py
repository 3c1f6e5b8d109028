# %% right_escaped_pattern: A regular expression with the prefix escaped, anchored at the start.
import re


def without_prefix(state_dict, prefix):
    start = re.compile(r"\A" + re.escape(prefix))
    return {start.sub("", name, count=1): tensor for name, tensor in state_dict.items()}


# %% right_slices: A loop with startswith and a slice.
def without_prefix(state_dict, prefix):
    renamed = {}
    for name in state_dict:
        short = name[len(prefix) :] if name[: len(prefix)] == prefix else name
        renamed[short] = state_dict[name]
    return renamed


# %% right_torch_on_a_copy: PyTorch's own helper, which works in place, on a shallow copy.
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present


def without_prefix(state_dict, prefix):
    copied = dict(state_dict)
    consume_prefix_in_state_dict_if_present(copied, prefix)
    return copied


# %% right_zip: New names by map, paired with the old values.
from collections import OrderedDict


def without_prefix(state_dict, prefix):
    names = map(lambda name: str.removeprefix(name, prefix), state_dict.keys())
    return OrderedDict(zip(names, state_dict.values(), strict=True))


# %% wrong_all_floats: Turns all tensors into float32: a counter of type int64 becomes another tensor.
def without_prefix(state_dict, prefix):
    result = dict()
    for name, tensor in state_dict.items():
        key = name[len(prefix) :] if name.startswith(prefix) else name
        result[key] = tensor.float()
    return result


# %% wrong_all_or_none: Takes the prefix off only where every name has it.
def without_prefix(state_dict, prefix):
    if all(name.startswith(prefix) for name in state_dict):
        return {name[len(prefix) :]: tensor for name, tensor in state_dict.items()}
    return dict(state_dict)


# %% wrong_buffers_dropped: Leaves out the entries that are not of a floating dtype.
def without_prefix(state_dict, prefix):
    return {name.removeprefix(prefix): tensor for name, tensor in state_dict.items() if tensor.is_floating_point()}


# %% wrong_caller_emptied: Takes the tensors out of the caller's dictionary one by one.
def without_prefix(state_dict, prefix):
    result = {}
    for name in list(state_dict):
        result[name.removeprefix(prefix)] = state_dict.pop(name)
    return result


# %% wrong_copies: Deep copies: the tensors are equal to the old ones, and not the same.
import copy


def without_prefix(state_dict, prefix):
    fresh = copy.deepcopy(dict(state_dict))
    for name in list(fresh):
        if name.startswith(prefix):
            fresh[name[len(prefix) :]] = fresh.pop(name)
    return fresh


# %% wrong_cut_if_inside: Cuts the front off every name that holds the prefix anywhere.
def without_prefix(state_dict, prefix):
    result = {}
    for name, tensor in state_dict.items():
        if prefix in name:
            name = name[len(prefix) :]
        result[name] = tensor
    return result


# %% wrong_detached: Detaches each tensor: another object on the same numbers, and a parameter is one no more.
def without_prefix(state_dict, prefix):
    return {
        (name[len(prefix) :] if name.startswith(prefix) else name): state_dict[name].detach() for name in state_dict
    }


# %% wrong_dot_forgotten: Looks for the prefix without its dot, so that a longer first word is cut as well.
def without_prefix(state_dict, prefix):
    result = {}
    for name, tensor in state_dict.items():
        result[name[len(prefix) :] if name.startswith(prefix.rstrip(".")) else name] = tensor
    return result


# %% wrong_first_name_decides: Looks at the first name alone, and cuts all names or none.
def without_prefix(state_dict, prefix):
    names = list(state_dict)
    if names and names[0].startswith(prefix):
        return {name[len(prefix) :]: state_dict[name] for name in names}
    return {name: state_dict[name] for name in names}


# %% wrong_first_word: Takes the first word off each name, whatever it is.
def without_prefix(state_dict, prefix):
    return {name.split(".", 1)[1]: tensor for name, tensor in state_dict.items()}


# %% wrong_last_piece: Splits the name at the prefix and keeps what follows its last occurrence.
def without_prefix(state_dict, prefix):
    return {name.split(prefix)[-1]: state_dict[name] for name in state_dict}


# %% wrong_made_contiguous: Makes every tensor contiguous on the way: a transposed one is copied.
def without_prefix(state_dict, prefix):
    return {name.removeprefix(prefix): tensor.contiguous() for name, tensor in state_dict.items()}


# %% wrong_one_known_prefix: Takes off `module.` whatever prefix is asked for.
def without_prefix(state_dict, prefix="module."):
    start = len("module.")
    return {(name[start:] if name[:start] == "module." else name): state_dict[name] for name in state_dict}


# %% wrong_only_with_it: Keeps only the names that had the prefix.
def without_prefix(state_dict, prefix):
    return {name[len(prefix) :]: state_dict[name] for name in state_dict if name.startswith(prefix)}


# %% wrong_pattern: A regular expression in which the prefix's dot stands for any character.
import re


def without_prefix(state_dict, prefix):
    return {re.sub("^" + prefix, "", name): tensor for name, tensor in state_dict.items()}


# %% wrong_replaced_anywhere: Takes the first occurrence out, wherever in the name it stands.
def without_prefix(state_dict, prefix):
    return {name.replace(prefix, "", 1): tensor for name, tensor in state_dict.items()}


# %% wrong_same_dictionary: Where no name has the prefix it returns the dictionary that it was given, no new one.
def without_prefix(state_dict, prefix):
    if not any(name.startswith(prefix) for name in state_dict):
        return state_dict
    return {name.removeprefix(prefix): tensor for name, tensor in state_dict.items()}
