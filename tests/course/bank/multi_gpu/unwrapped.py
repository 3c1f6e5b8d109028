# %% right_comprehension: all() and a slice.
def unwrapped(state):
    wrapped = all(name.startswith("module.") for name in state)
    return {(name[len("module.") :] if wrapped else name): tensor for name, tensor in state.items()}


# %% right_loop: A loop with partition.
def unwrapped(state):
    found = {}
    for name, tensor in state.items():
        head, dot, tail = name.partition(".")
        if head != "module" or not dot:
            return dict(state)
        found[tail] = tensor
    return found


# %% right_regex: A regular expression anchored at the beginning.
import re


def unwrapped(state):
    names = [re.sub(r"^module\.", "", name, count=1) for name in state]
    if any(new == old for new, old in zip(names, state)):
        names = list(state)
    return dict(zip(names, state.values()))


# %% right_torch_tool: Torch's own tool on a copy, if every name has the prefix.
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present


def unwrapped(state):
    copy = dict(state)
    if sum(name.startswith("module.") for name in copy) == len(copy):
        consume_prefix_in_state_dict_if_present(copy, "module.")
    return copy


# %% wrong_any: One name with the prefix is enough to cut all.
def unwrapped(state):
    if any(name.startswith("module.") for name in state):
        return {name.removeprefix("module."): tensor for name, tensor in state.items()}
    return dict(state)


# %% wrong_clones: New tensors instead of the same ones.
def unwrapped(state):
    cut = 7 if all(name.startswith("module.") for name in state) else 0
    return {name[cut:]: tensor.clone() for name, tensor in state.items()}


# %% wrong_every_occurrence: replace() takes the word out of the middle too.
def unwrapped(state):
    if all(name.startswith("module.") for name in state):
        return {name.replace("module.", ""): tensor for name, tensor in state.items()}
    return dict(state)


# %% wrong_first_name_decides: Judges all names by the first one.
def unwrapped(state):
    first = next(iter(state), "")
    if first.startswith("module."):
        return {name[7:]: tensor for name, tensor in state.items()}
    return dict(state)


# %% wrong_in_place: Changes the dictionary that was handed in.
def unwrapped(state):
    if all(name.startswith("module.") for name in state):
        for name in list(state):
            state[name[7:]] = state.pop(name)
    return dict(state)


# %% wrong_lstrip: lstrip takes off letters, not a word.
def unwrapped(state):
    if all(name.startswith("module.") for name in state):
        return {name.lstrip("module."): tensor for name, tensor in state.items()}
    return dict(state)


# %% wrong_same_object: Returns the dictionary that came in where nothing is to be done.
def unwrapped(state):
    if not all(name.startswith("module.") for name in state):
        return state
    return {name[7:]: tensor for name, tensor in state.items()}


# %% wrong_sorted: The names come back in another order.
def unwrapped(state):
    cut = 7 if all(name.startswith("module.") for name in state) else 0
    return {name[cut:]: state[name] for name in sorted(state)}


# %% wrong_split_last: Keeps only what stands after the last dot but one.
def unwrapped(state):
    if all(name.startswith("module.") for name in state):
        return {".".join(name.split(".")[-2:]): tensor for name, tensor in state.items()}
    return dict(state)


# %% wrong_twice: Goes on as long as every name has the prefix.
def unwrapped(state):
    while state and all(name.startswith("module.") for name in state):
        state = {name[7:]: tensor for name, tensor in state.items()}
    return dict(state)


# %% wrong_without_dot: Looks for "module" without the dot: `modules.0` is cut as well.
def unwrapped(state):
    if all(name.startswith("module") for name in state):
        return {name[len("module.") :]: tensor for name, tensor in state.items()}
    return dict(state)
