"""The first difference between what an answer gave and what was expected, in words."""

import cmath
import math
from numbers import Number
from types import MappingProxyType

import torch

from course_utils.checks.snapshot import Foreign

# (rtol, atol) of torch.testing.assert_close by dtype, so that a check is no stricter than PyTorch's own tests.
_TOLERANCES = MappingProxyType(
    {
        torch.float16: (1e-3, 1e-5),
        torch.bfloat16: (1.6e-2, 1e-5),
        torch.float32: (1.3e-6, 1e-5),
        torch.float64: (1e-7, 1e-7),
        torch.complex32: (1e-3, 1e-5),
        torch.complex64: (1.3e-6, 1e-5),
        torch.complex128: (1e-7, 1e-7),
    }
)


def difference(
    found: object, expected: object, *, rtol: float | None = None, atol: float | None = None
) -> str | None:
    """Say how `found` differs from `expected`; None where it does not.

    Compares tensors (type, shape, dtype, device, graph, then values), numbers, strings and nested tuples, lists
    and dicts of them. `rtol`, `atol`: tolerances for floating point and complex numbers; default: for tensors those
    of torch.testing, for Python's numbers 1e-6 and 1e-9; 0 tolerates nothing. Never raises: what cannot be compared
    is a difference.
    """
    if found is None and expected is not None:
        return "It returned None: is a `return` missing?"
    try:
        return _difference(found, expected, rtol, atol)
    except Exception as error:  # noqa: BLE001 - an answer may return anything, also what refuses to be compared
        first = (str(error).splitlines() or [""])[0]
        return f"Found {type(found).__name__}, which cannot be compared with {_describe(expected)}: {first}"


def _difference(found, expected, rtol, atol):
    if found is None and expected is not None:
        return f"Found None, expected {_describe(expected)}."
    if hasattr(found, "__array__") and not isinstance(found, (torch.Tensor, Number)):
        found = torch.as_tensor(found)
    if isinstance(expected, torch.Tensor):
        return _tensor_difference(found, expected, rtol, atol)
    if isinstance(found, torch.Tensor) and found.numel() == 1 and isinstance(expected, (Number, bool)):
        found = found.item()  # a number was asked for: a tensor that holds one is as good
    if isinstance(expected, dict):
        return _dict_difference(found, expected, rtol, atol)
    if isinstance(expected, (tuple, list)):
        return _sequence_difference(found, expected, rtol, atol)
    if isinstance(expected, Number) and not isinstance(expected, bool):
        return _number_difference(found, expected, rtol, atol)
    if type(found) is not type(expected) or found != expected:
        return f"Found {_describe(found)}, expected {_describe(expected)}."
    return None


def _tensor_difference(found, expected, rtol, atol):
    if not isinstance(found, torch.Tensor):
        return f"Found {_describe(found)}, expected {_describe(expected)}."
    if found.shape != expected.shape:
        return f"Shape {tuple(found.shape)}, expected {tuple(expected.shape)}."
    if found.dtype != expected.dtype:
        return f"dtype {_dtype(found)}, expected {_dtype(expected)}."
    if found.device != expected.device:
        return f"On device {found.device}, expected {expected.device}."
    if found.layout != expected.layout:
        return f"Layout {found.layout}, expected {expected.layout}."
    if expected.requires_grad and not found.requires_grad:
        return "Cut off from the graph (requires_grad is False), expected a result that gradients flow through."
    if found.requires_grad and not expected.requires_grad:
        return "Still tied to the graph (requires_grad is True), expected a plain tensor."
    found, expected = found.detach(), expected.detach()
    if found.dtype.is_floating_point or found.dtype.is_complex:
        default_rtol, default_atol = _TOLERANCES.get(found.dtype, (0.0, 0.0))
        rtol = default_rtol if rtol is None else rtol
        atol = default_atol if atol is None else atol
        wrong = ~torch.isclose(found, expected, rtol=rtol, atol=atol, equal_nan=True)
    else:
        wrong = found != expected
    if not wrong.any():
        return None
    index = wrong.nonzero()[0].tolist()
    values = f"found {_number(found[tuple(index)])}, expected {_number(expected[tuple(index)])}."
    if expected.numel() > 1 and not found.any() and expected.any():
        return f"Every element is 0; at {index} {values}"
    if not index:
        return f"Wrong value: {values}"
    share = int(wrong.sum())
    more = f" ({share} of {wrong.numel()} elements differ)" if share > 1 else ""
    return f"Wrong at {index}: {values}{more}"


def _number_difference(found, expected, rtol, atol):
    if isinstance(found, bool) or not isinstance(found, Number):
        return f"Found {_describe(found)}, expected {_describe(expected)}."
    if isinstance(expected, int):
        same = found == expected
    else:
        numbers = cmath if isinstance(expected, complex) else math
        rtol, atol = 1e-6 if rtol is None else rtol, 1e-9 if atol is None else atol
        same = numbers.isclose(found, expected, rel_tol=rtol, abs_tol=atol)
        same = same or (numbers.isnan(found) and numbers.isnan(expected))
    return None if same else f"Found {_number(found)}, expected {_number(expected)}."


def _sequence_difference(found, expected, rtol, atol):
    if not isinstance(found, (tuple, list)):
        return f"Found {_describe(found)}, expected {_describe(expected)}."
    if len(found) != len(expected):
        return f"Found {len(found)} values, expected {len(expected)}."
    for position, (one, other) in enumerate(zip(found, expected, strict=True)):
        if message := _difference(one, other, rtol, atol):
            return f"Value {position} of {len(expected)}: {message}"
    return None


def _dict_difference(found, expected, rtol, atol):
    if not isinstance(found, dict):
        return f"Found {_describe(found)}, expected {_describe(expected)}."
    if set(found) != set(expected):
        return f"Found the keys {sorted(map(str, found))}, expected {sorted(map(str, expected))}."
    for key in expected:
        if message := _difference(found[key], expected[key], rtol, atol):
            return f"Under {key!r}: {message}"
    return None


def _describe(value):
    if isinstance(value, torch.Tensor):
        return f"a {_dtype(value)} tensor of shape {tuple(value.shape)}"
    if isinstance(value, (tuple, list, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, Foreign):
        return repr(value)
    text = repr(value)
    return f"{text} ({type(value).__name__})" if len(text) <= 60 else f"a {type(value).__name__}"


def _dtype(tensor):
    return str(tensor.dtype).removeprefix("torch.")


def _number(value):
    value = value.item() if isinstance(value, torch.Tensor) else value
    return f"{value:.7g}" if isinstance(value, float) else str(value)
