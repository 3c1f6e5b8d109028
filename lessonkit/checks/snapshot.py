"""Copy what an answer returned into plain values, which cannot change later and run no code of the answer's."""

from decimal import Decimal
from fractions import Fraction
from numbers import Number
from types import BuiltinFunctionType, FunctionType, MethodType

import torch

_FUNCTIONS = {FunctionType, BuiltinFunctionType, MethodType}
_PLAIN = {
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    type(...),
    Decimal,
    Fraction,
    torch.dtype,
    torch.device,
}


class Foreign:
    """A stand-in for a value of a class that no question asks for; equal to nothing but itself."""

    def __init__(self, kind: str, *, words: str = "") -> None:
        self.kind, self.words = kind, words

    def __repr__(self) -> str:
        return self.words or f"an object of class {self.kind}"


def snapshot(value: object) -> object:
    """Copy tensors, arrays, numbers, text and nested tuples, lists, dicts and sets of them.

    Subclasses become what they are a subclass of, read by that class's own methods: one that overrides `==` or
    `__torch_function__` has no say. Whatever else it is becomes a `Foreign`.
    """
    kind = type(value)  # not isinstance, which believes what an object says of its class
    if kind in _PLAIN:
        return value
    if issubclass(kind, torch.Tensor):
        return _tensor(value, kind)
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, int):
        return int.__int__(value)
    if issubclass(kind, float):  # NumPy's float64 among them
        return float.__float__(value)
    if issubclass(kind, dict):
        return {snapshot(key): snapshot(item) for key, item in dict.items(value)}
    for base in (tuple, list, set, frozenset):
        if issubclass(kind, base):
            return base([snapshot(item) for item in base.__iter__(value)])
    if issubclass(kind, Number) and kind.__module__ == "numpy":
        return value.item()
    if issubclass(kind, type) or kind is type(torch.FloatTensor):
        name = type.__dict__["__name__"].__get__(value) if issubclass(kind, type) else f"torch.{value.__name__}"
        return Foreign(kind.__name__, words=f"the class {name}")
    if kind in _FUNCTIONS:
        return Foreign(kind.__name__, words=f"the function {value.__name__}, not called,")
    if hasattr(kind, "__array__"):
        try:
            return snapshot(torch.as_tensor(value))
        except Exception:  # noqa: BLE001 - an array of text, say: nothing that a tensor could hold
            return Foreign(kind.__name__)
    return Foreign(kind.__name__)


def _tensor(value, kind):
    if kind.__torch_dispatch__ is not torch.Tensor.__torch_dispatch__:
        return Foreign(kind.__name__)  # its numbers are what its own code says at the moment
    with torch._C.DisableTorchFunctionSubclass():
        copy = torch.Tensor.clone(torch.Tensor.detach(value))
        if kind not in (torch.Tensor, torch.nn.Parameter):
            copy = torch.Tensor.as_subclass(copy, torch.Tensor)
        return copy.requires_grad_() if torch.Tensor.requires_grad.__get__(value) else copy
