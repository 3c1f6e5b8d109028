"""State dicts: copies that safe loading opens, and a check that a saved one fits an object before it is loaded."""

from collections import Counter, OrderedDict
from typing import Any, Protocol

import torch

from course_utils.checkpoints import prefixes

PLAIN = (bool, int, float, complex, str, bytes, bytearray, type(None), torch.dtype, torch.device, torch.Size)


class Stateful(Protocol):
    """Anything that has a state_dict, by the name that torch.distributed.checkpoint gives it."""

    def state_dict(self) -> dict[str, Any]:
        """Return the state."""

    def load_state_dict(self, state_dict: dict[str, Any]) -> object:
        """Take on a state that `state_dict` returned."""


def plain_copy(
    value: Any,
    where: str,
    *,
    copy: bool = False,
    seen: dict[tuple, tuple[torch.Tensor, torch.Tensor]] | None = None,
) -> Any:
    """Return a copy that `torch.load(weights_only=True)` opens: dicts, lists, numbers, strings, CPU tensors.

    Tensors that are one (tied weights) stay one; a view is saved without the rest of its storage. `where`: the name
    of the value, for the error. `copy`: also copy tensors that are on the CPU already. `seen`: a dict to be passed
    with every value that may share tensors with others. NumPy's scalars and subclasses of int, float and str become
    Python's. Raises TypeError, naming the key, for anything else.
    """
    seen = {} if seen is None else seen
    if isinstance(value, torch.Tensor):
        return _on_cpu(value, where, copy, seen)
    if type(value) in PLAIN:
        return value
    if type(value) in (dict, OrderedDict, Counter):
        items = (
            (plain_copy(k, where), plain_copy(v, f"{where}[{k!r}]", copy=copy, seen=seen)) for k, v in value.items()
        )
        new = type(value)(dict(items))
        if hasattr(value, "_metadata"):  # the versions of a model's layers
            new._metadata = value._metadata
        return new
    if type(value) in (list, tuple, set):
        return type(value)(plain_copy(v, f"{where}[{i}]", copy=copy, seen=seen) for i, v in enumerate(value))
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


def tensors(state: Any, prefix: str = "") -> dict[str, torch.Tensor]:
    """Return all tensors of a nested state by name: its keys and indices, joined by dots, after `prefix`.

    For a model's state_dict the names are its keys.
    """
    if isinstance(state, torch.Tensor):
        return {prefix: state}
    dot = f"{prefix}." if prefix else ""
    if isinstance(state, dict):
        items = ((f"{dot}{key}", value) for key, value in state.items())
    else:
        items = ((f"{dot}{i}", value) for i, value in enumerate(state)) if isinstance(state, (list, tuple)) else ()
    return {name: tensor for key, value in items for name, tensor in tensors(value, key).items()}


def mismatch(part: str, obj: Stateful, state_dict: dict[str, Any]) -> str | None:
    """Return a sentence that says why a saved state_dict does not fit a model (or an EMA); None where it does.

    `part`: "model" or "ema", for the sentence.
    """
    current, saved = tensors(obj.state_dict()), tensors(state_dict)
    if not current and not isinstance(obj, torch.nn.Module):
        return None  # an average that has not begun holds no tensors yet
    if lazy := [name for name, tensor in current.items() if torch.nn.parameter.is_lazy(tensor)]:
        return f"your {part} has no shape yet at {lazy[0]!r} (a lazy layer): run one batch through it, then load."
    missing = [name for name in current if name not in saved]
    unexpected = [name for name in saved if name not in current]
    if missing or unexpected:
        return prefixes.difference(part, current, saved) or (
            f"its {part} and yours are of different make: missing in the file {_first(missing)}; only in the file "
            f"{_first(unexpected)}. Build the {part} that was saved."
        )
    for name, tensor in current.items():
        if tensor.shape != saved[name].shape:
            return (
                f"{part}: {name!r} has shape {tuple(saved[name].shape)} in the file and {tuple(tensor.shape)} in "
                f"yours. Build the {part} with the sizes that were saved."
            )
        if tensor.dtype != saved[name].dtype:
            return (
                f"{part}: {name!r} is {saved[name].dtype} in the file and {tensor.dtype} in yours, and loading "
                f"would convert it without a word. Convert yours first: {part}.to({saved[name].dtype})."
            )
    return None


def _first(names):
    return f"{names[0]!r} and {len(names) - 1} more" if len(names) > 1 else (repr(names[0]) if names else "nothing")
