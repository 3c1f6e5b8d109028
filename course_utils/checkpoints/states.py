"""Whether a saved state fits an object, asked before anything is changed; and plain copies of states."""

from collections import Counter, OrderedDict

import torch

PLAIN = (bool, int, float, complex, str, bytes, bytearray, type(None), torch.dtype, torch.device, torch.Size)
WRAPPERS = {"module.": "DistributedDataParallel or DataParallel", "_orig_mod.": "torch.compile"}


def plain(value, where, *, copy=False, seen=None):
    """A copy that `torch.load(weights_only=True)` opens: containers, numbers, strings, and tensors on the CPU.

    Tensors that are one (tied weights) stay one; a view is saved without the rest of its storage. `copy`: also copy
    tensors that are on the CPU already. NumPy's scalars and subclasses of int, float and str become Python's.
    Raises TypeError, naming the place, for anything else.
    """
    seen = {} if seen is None else seen
    if isinstance(value, torch.Tensor):
        return _on_cpu(value, where, copy, seen)
    if type(value) in PLAIN:
        return value
    if type(value) in (dict, OrderedDict, Counter):
        items = ((plain(k, where), plain(v, f"{where}[{k!r}]", copy=copy, seen=seen)) for k, v in value.items())
        new = type(value)(dict(items))
        if hasattr(value, "_metadata"):  # the versions of a model's layers
            new._metadata = value._metadata
        return new
    if type(value) in (list, tuple, set):
        return type(value)(plain(v, f"{where}[{i}]", copy=copy, seen=seen) for i, v in enumerate(value))
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return value.item()
    for kind in (int, float, str):
        if isinstance(value, kind):
            return kind(value)
    raise TypeError(
        f"{where} is a {type(value).__module__}.{type(value).__qualname__}; a checkpoint holds tensors, numbers, "
        "strings and plain containers of them, as all else needs code to open. Let its state_dict return those."
    )


def _on_cpu(tensor, where, copy, seen):
    if tensor.device.type == "meta":
        raise TypeError(f"{where} is a tensor on the device 'meta': it has no values to save. Give it some first.")
    if tensor.layout != torch.strided:
        return tensor.detach().to("cpu", copy=copy)
    key = (tensor.device, tensor.data_ptr(), tensor.dtype, tensor.shape, tensor.stride())
    if key not in seen:
        new = tensor.detach().to("cpu", copy=copy)
        whole = new.untyped_storage().nbytes() == new.nbytes
        seen[key] = (
            new if whole else new.clone(),
            tensor,
        )  # the second lives on, so that its address is not reused
    return seen[key][0]


def tensors(state, place=""):
    """{place: tensor} of all tensors in a nested state; for a model's state_dict the places are its keys."""
    if isinstance(state, torch.Tensor):
        return {place: state}
    dot = f"{place}." if place else ""
    if isinstance(state, dict):
        parts = ((f"{dot}{key}", value) for key, value in state.items())
    else:
        parts = ((f"{dot}{i}", value) for i, value in enumerate(state)) if isinstance(state, (list, tuple)) else ()
    return {name: tensor for where, value in parts for name, tensor in tensors(value, where).items()}


def misfit(part, thing, state):
    """Why a model's (or an EMA's) saved state does not fit it, as a sentence; None where it does."""
    own, theirs = tensors(thing.state_dict()), tensors(state)
    if not own and not isinstance(thing, torch.nn.Module):
        return None  # an average that has not begun holds no tensors yet
    if lazy := [name for name, tensor in own.items() if torch.nn.parameter.is_lazy(tensor)]:
        return f"your {part} has no shape yet at {lazy[0]!r} (a lazy layer): run one batch through it, then load."
    missing, extra = [n for n in own if n not in theirs], [n for n in theirs if n not in own]
    if missing or extra:
        return _prefix(part, own, theirs) or (
            f"its {part} and yours are of different make: missing in the file {_first(missing)}; only in the file "
            f"{_first(extra)}. Build the {part} that was saved."
        )
    for name, tensor in own.items():
        if tensor.shape != theirs[name].shape:
            return (
                f"{part}: {name!r} has shape {tuple(theirs[name].shape)} in the file and {tuple(tensor.shape)} in "
                f"yours. Build the {part} with the sizes that were saved."
            )
        if tensor.dtype != theirs[name].dtype:
            return (
                f"{part}: {name!r} is {theirs[name].dtype} in the file and {tensor.dtype} in yours, and loading "
                f"would convert it without a word. Convert yours first: {part}.to({theirs[name].dtype})."
            )
    return None


def _prefix(part, own, theirs):
    for prefix, wrapper in WRAPPERS.items():
        if {prefix + name for name in own} == set(theirs):
            return (
                f"the names of its {part} begin with {prefix!r}, yours do not: it was saved inside {wrapper}. "
                f"Wrap yours alike before loading, or take torch.load(path, weights_only=True)[{part!r}] as state "
                "and call "
                f"torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(state, {prefix!r}). "
                f"Next time save what is inside ({part}.{prefix[:-1]})."
            )
        if set(own) == {prefix + name for name in theirs}:
            return (
                f"the names of your {part} begin with {prefix!r}, the file's do not: yours is inside {wrapper}. "
                f"Pass what is inside: {part}={part}.{prefix[:-1]}."
            )
    return None


def _first(names):
    return f"{names[0]!r} and {len(names) - 1} more" if len(names) > 1 else (repr(names[0]) if names else "nothing")
