# %% right_comprehension: One dictionary comprehension over the renamed items, and the names that are left.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    renamed = {(k[7:] if k.startswith("module.") else k): v for k, v in state_dict.items()}
    good = {k: v for k, v in renamed.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(good, strict=False)
    return [k for k in own if k not in good]


# %% right_copy_in_place: Copies into the model's own tensors, which state_dict hands out without a graph.
import torch


@torch.no_grad()
def load_what_fits(model, state_dict):
    left = []
    file = {name.removeprefix("module."): tensor for name, tensor in state_dict.items()}
    for name, tensor in model.state_dict().items():
        if name in file and file[name].size() == tensor.size():
            tensor.copy_(file[name])
        else:
            left.append(name)
    return left


# %% right_missing_keys: Lets load_state_dict say which keys are missing.
import re


def load_what_fits(model, state_dict):
    shapes = {name: tuple(t.shape) for name, t in model.state_dict().items()}
    chosen = {}
    for name in state_dict:
        short = re.sub(r"\Amodule\.", "", name)
        if shapes.get(short) == tuple(state_dict[name].shape):
            chosen[short] = state_dict[name]
    missing = set(model.load_state_dict(chosen, strict=False).missing_keys)
    return [name for name in shapes if name in missing]


# %% right_filled_up: Fills what does not fit with the model's own tensors and loads strictly.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    full, absent = dict(own), list(own)
    for name, tensor in state_dict.items():
        short = name.partition("module.")[2] if name.startswith("module.") else name
        if short in own and own[short].shape == tensor.shape:
            full[short] = tensor
            absent.remove(short)
    model.load_state_dict(full, strict=True)
    return absent


# %% right_swapped_data: Goes through parameters and buffers, without load_state_dict.
from itertools import chain


def load_what_fits(model, state_dict):
    own = model.state_dict()
    places = dict(
        chain(model.named_parameters(remove_duplicate=False), model.named_buffers(remove_duplicate=False))
    )
    file = {n.removeprefix("module."): t for n, t in state_dict.items()}
    kept = []
    for name in own:
        if name in file and file[name].shape == places[name].shape:
            places[name].data.copy_(file[name])
        else:
            kept.append(name)
    return kept


# %% wrong_strict_false: Believes that turning `strict` off forgives everything.
def load_what_fits(model, state_dict):
    return model.load_state_dict(state_dict, strict=False).missing_keys


# %% wrong_all_or_nothing: Gives up on the whole file when one tensor does not fit.
def load_what_fits(model, state_dict):
    state = {name.removeprefix("module."): tensor for name, tensor in state_dict.items()}
    try:
        return list(model.load_state_dict(state, strict=False).missing_keys)
    except RuntimeError:
        return list(model.state_dict())


# %% wrong_set: Returns a set of names.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    state = {n.removeprefix("module."): t for n, t in state_dict.items()}
    good = {n: t for n, t in state.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(good, strict=False)
    return set(own) - set(good)


# %% wrong_sorted: Returns the names in alphabetical order, not the model's.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    state = {n.removeprefix("module."): t for n, t in state_dict.items()}
    good = {n: t for n, t in state.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(good, strict=False)
    return sorted(set(own) - set(good))


# %% wrong_data_replaced: Puts the file's tensors into the parameters, whatever their dtype.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    places = dict(model.named_parameters(remove_duplicate=False)) | dict(model.named_buffers())
    state = {n.removeprefix("module."): t for n, t in state_dict.items()}
    good = [n for n in own if n in state and state[n].shape == own[n].shape]
    for name in good:
        places[name].data = state[name]
    return [n for n in own if n not in good]


# %% wrong_assign: Assigns, so that the parameters are other objects and an optimizer trains the old ones.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    state = {n.removeprefix("module."): t for n, t in state_dict.items()}
    good = {n: t for n, t in state.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(good, strict=False, assign=True)
    return [n for n in own if n not in good]


# %% wrong_unfreezes: Turns requires_grad on for all that was loaded.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    state = {n.removeprefix("module."): t for n, t in state_dict.items()}
    good = {n: t for n, t in state.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(good, strict=False)
    for parameter in model.parameters():
        parameter.requires_grad_(True)
    return [n for n in own if n not in good]


# %% wrong_eval: Leaves the model in eval mode.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    state = {n.removeprefix("module."): t for n, t in state_dict.items()}
    good = {n: t for n, t in state.items() if n in own and own[n].shape == t.shape}
    model.eval()
    model.load_state_dict(good, strict=False)
    return [n for n in own if n not in good]


# %% wrong_pops: Takes what it has loaded out of the caller's dictionary.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    done = []
    for name in list(state_dict):
        short = name.removeprefix("module.")
        if short in own and own[short].shape == state_dict[name].shape:
            own[short].copy_(state_dict.pop(name))
            done.append(short)
    return [n for n in own if n not in done]


# %% wrong_lstrip: Strips letters instead of a prefix.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    state = {n.lstrip("module."): t for n, t in state_dict.items()}
    good = {n: t for n, t in state.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(good, strict=False)
    return [n for n in own if n not in good]


# %% wrong_prefix_only: Loads nothing that came without the prefix.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    state = {n.removeprefix("module."): t for n, t in state_dict.items() if n.startswith("module.")}
    good = {n: t for n, t in state.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(good, strict=False)
    return [n for n in own if n not in good]


# %% wrong_first_decides: Looks at the first name only to see whether there is a prefix.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    cut = len("module.") if next(iter(state_dict), "").startswith("module.") else 0
    state = {n[cut:]: t for n, t in state_dict.items()}
    good = {n: t for n, t in state.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(good, strict=False)
    return [n for n in own if n not in good]


# %% wrong_dims: Compares the number of dimensions, and lets load_state_dict raise.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    state = {n.removeprefix("module."): t for n, t in state_dict.items()}
    good = {n: t for n, t in state.items() if n in own and own[n].dim() == t.dim()}
    model.load_state_dict(good, strict=False)
    return [n for n in own if n not in good]


# %% wrong_same_dtype: Leaves out what has another dtype.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    state = {n.removeprefix("module."): t for n, t in state_dict.items()}
    good = {n: t for n, t in state.items() if n in own and (own[n].shape, own[n].dtype) == (t.shape, t.dtype)}
    model.load_state_dict(good, strict=False)
    return [n for n in own if n not in good]


# %% wrong_no_tied: Goes through named_parameters, which name a tied weight once.
def load_what_fits(model, state_dict):
    own = dict(model.named_parameters()) | dict(model.named_buffers())
    state = {n.removeprefix("module."): t for n, t in state_dict.items()}
    good = {n: t for n, t in state.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(good, strict=False)
    return [n for n in model.state_dict() if n in own and n not in good]


# %% wrong_loose_end: Finds names that end alike, whatever stands before.
def load_what_fits(model, state_dict):
    own, kept = model.state_dict(), []
    for name, tensor in own.items():
        found = [t for n, t in state_dict.items() if n.endswith(name) and t.shape == tensor.shape]
        if found:
            tensor.copy_(found[0])
        else:
            kept.append(name)
    return kept


# %% wrong_hook: Registers a hook that renames, and leaves it on the model.
def load_what_fits(model, state_dict):
    def rename(module, state, prefix, *rest):
        own = module.state_dict()
        for name in list(state):
            tensor = state.pop(name)
            short = name.removeprefix("module.")
            if short in own and own[short].shape == tensor.shape:
                state[short] = tensor

    model.register_load_state_dict_pre_hook(rename)
    return list(model.load_state_dict(state_dict, strict=False).missing_keys)


# %% wrong_missing_keys_only: Names whose shape differs are left out of the returned list.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    plain = {name.removeprefix("module."): t for name, t in state_dict.items()}
    model.load_state_dict({n: t for n, t in plain.items() if n in own and own[n].shape == t.shape}, strict=False)
    return [name for name in own if name not in plain]


# %% wrong_all_prefixes: Takes away every module. at the start, not only one.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    plain = {}
    for name, t in state_dict.items():
        while name.startswith("module."):
            name = name[len("module.") :]
        plain[name] = t
    fits = {n: t for n, t in plain.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(fits, strict=False)
    return [name for name in own if name not in fits]


# %% wrong_replace_inside: Also takes module. out of the middle of a name.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    plain = {name.replace("module.", ""): t for name, t in state_dict.items()}
    fits = {n: t for n, t in plain.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(fits, strict=False)
    return [name for name in own if name not in fits]


# %% wrong_broadcast: Copies whatever copy_ can broadcast, though the shape is another.
import torch


def load_what_fits(model, state_dict):
    plain = {name.removeprefix("module."): t for name, t in state_dict.items()}
    left = []
    with torch.no_grad():
        for name, t in model.state_dict().items():
            try:
                t.copy_(plain[name])
            except (KeyError, RuntimeError):
                left.append(name)
    return left


# %% wrong_try_each: Load_state_dict one by one takes shape (1,) for a tensor without dimension.
def load_what_fits(model, state_dict):
    plain = {name.removeprefix("module."): t for name, t in state_dict.items()}
    left = []
    for name in model.state_dict():
        if name not in plain:
            left.append(name)
            continue
        try:
            model.load_state_dict({name: plain[name]}, strict=False)
        except RuntimeError:
            left.append(name)
    return left


# %% wrong_shared_memory: The model's tensors become those of the file, so that training changes state_dict.
def load_what_fits(model, state_dict):
    plain = {name.removeprefix("module."): t for name, t in state_dict.items()}
    left = []
    for name, t in model.state_dict(keep_vars=True).items():
        if name in plain and plain[name].shape == t.shape:
            t.data = plain[name].detach().to(t.dtype)
        else:
            left.append(name)
    return left


# %% wrong_non_persistent: Fills buffers too that are not in the model's state_dict.
import itertools

import torch


def load_what_fits(model, state_dict):
    plain = {name.removeprefix("module."): t for name, t in state_dict.items()}
    done = set()
    with torch.no_grad():
        for name, t in itertools.chain(
            model.named_parameters(remove_duplicate=False), model.named_buffers(remove_duplicate=False)
        ):
            if name in plain and plain[name].shape == t.shape:
                t.copy_(plain[name])
                done.add(name)
    return [name for name in model.state_dict() if name not in done]


# %% wrong_prefix_all_or_none: Takes the prefix away only if all names of the file have it.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    wrapped = all(name.startswith("module.") for name in state_dict)
    plain = {name[7:] if wrapped else name: t for name, t in state_dict.items()}
    fits = {n: t for n, t in plain.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(fits, strict=False)
    return [name for name in own if name not in fits]


# %% right_lookup_both: Looks for either name, and copies in place.
import torch


def load_what_fits(model, state_dict):
    left = []
    with torch.no_grad():
        for name, mine in model.state_dict().items():
            for other in (name, "module." + name):
                theirs = state_dict.get(other)
                if theirs is not None and theirs.shape == mine.shape:
                    mine.copy_(theirs)
                    break
            else:
                left.append(name)
    return left


# %% right_full_dict: Fills up the model's own dictionary with clones and loads it strictly.
import re


def load_what_fits(model, state_dict):
    full = model.state_dict()
    left = dict.fromkeys(full)
    for name, t in state_dict.items():
        name = re.sub(r"\Amodule\.", "", name, count=1)
        if name in full and tuple(full[name].size()) == tuple(t.size()):
            full[name] = t.detach().clone()
            left.pop(name)
    model.load_state_dict(full, strict=True)
    return list(left)


# %% right_sets: Keys as a set of pairs of name and shape, strict off.
def load_what_fits(model, state_dict):
    own = [(name, tuple(t.shape)) for name, t in model.state_dict().items()]
    file = {}
    for name, t in state_dict.items():
        head, dot, rest = name.partition(".")
        file[(rest if head == "module" and dot else name, tuple(t.shape))] = t
    both = file.keys() & set(own)
    model.load_state_dict({key[0]: file[key] for key in both}, strict=False)
    return [key[0] for key in own if key not in both]


# %% wrong_grads_cleared: Throws the gradients away while it is at it.
def load_what_fits(model, state_dict):
    own = model.state_dict()
    model.zero_grad()
    state = {n.removeprefix("module."): t for n, t in state_dict.items()}
    good = {n: t for n, t in state.items() if n in own and own[n].shape == t.shape}
    model.load_state_dict(good, strict=False)
    return [n for n in own if n not in good]
