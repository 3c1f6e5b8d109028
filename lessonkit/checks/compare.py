"""Find the first difference between what an answer returned and what was expected, and say it in words."""

import cmath
import math
from numbers import Number
from types import MappingProxyType

import torch

from lessonkit.checks.wording import at, capital, dtype_of, held, keys, kind_of, pair, short, values, wanted_keys

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


class _Comparison:
    """Two values side by side. Each method returns of a difference where it is, and words; else None."""

    def __init__(self, rtol: float | None, atol: float | None, *, report: bool) -> None:
        self.rtol, self.atol, self.report = rtol, atol, report

    def any(self, found: object, expected: object, path: tuple = ()) -> tuple[tuple, str] | None:
        if found is None and expected is not None:
            return path, f"found None, expected {kind_of(expected, report=self.report)}."
        if hasattr(found, "__array__") and not isinstance(found, (torch.Tensor, Number)):
            found = torch.as_tensor(found)
        if isinstance(expected, torch.Tensor):
            return self.tensors(found, expected, path)
        if isinstance(found, torch.Tensor) and found.numel() == 1 and isinstance(expected, (Number, bool)):
            found = found.item()  # a number was asked for: a tensor that holds one is as good
        if isinstance(expected, dict):
            return self.dicts(found, expected, path)
        if isinstance(expected, (tuple, list)):
            return self.sequences(found, expected, path)
        if isinstance(expected, Number) and not isinstance(expected, bool):
            return self.numbers(found, expected, path)
        if type(found) is not type(expected) or found != expected:
            return self.kinds(found, expected, path)
        return None

    def kinds(self, found, expected, path):
        if self.report and path and isinstance(found, bool) and isinstance(expected, bool):
            return (), held(path, expected)
        return path, values(found, expected, report=self.report)

    def tensors(self, found, expected, path):
        if not isinstance(found, torch.Tensor):
            return self.kinds(found, expected, path)
        if nature := _nature(found, expected):
            return path, nature
        found, expected = found.detach(), expected.detach()
        if found.dtype.is_floating_point or found.dtype.is_complex:
            rtol, atol = _TOLERANCES.get(found.dtype, (0.0, 0.0))
            rtol = rtol if self.rtol is None else self.rtol
            atol = atol if self.atol is None else self.atol
            wrong = ~torch.isclose(found, expected, rtol=rtol, atol=atol, equal_nan=True)
        else:
            wrong = found != expected
        return (path, _elements(found, expected, wrong)) if wrong.any() else None

    def numbers(self, found, expected, path):
        if isinstance(found, bool) or not isinstance(found, Number):
            return self.kinds(found, expected, path)
        if isinstance(expected, int):
            same = found == expected
        else:
            numbers = cmath if isinstance(expected, complex) else math
            rtol, atol = 1e-6 if self.rtol is None else self.rtol, 1e-9 if self.atol is None else self.atol
            same = numbers.isclose(found, expected, rel_tol=rtol, abs_tol=atol)
            same = same or (numbers.isnan(found) and numbers.isnan(expected))
        return None if same else (path, f"{pair(found, expected)}.")

    def sequences(self, found, expected, path):
        if not isinstance(found, (tuple, list)):
            return self.kinds(found, expected, path)
        if len(found) != len(expected):
            inner = path, f"found {len(found)} values, expected {len(expected) or 'none'}."
        else:
            steps = (
                (self.any(*two, (*path, (i, expected)))) for i, two in enumerate(zip(found, expected, strict=True))
            )
            inner = next((step for step in steps if step), None)
        one, other = short(found), short(expected)
        if inner and one and other and one != other:
            return path, f"found {one}, expected {other}."
        return inner

    def dicts(self, found, expected, path):
        if not isinstance(found, dict):
            return self.kinds(found, expected, path)
        alike = set(found) == set(expected)
        # A probe that gives up early leaves keys out, and says why under one that it has: that is read first.
        if alike or self.report:
            steps = (self.any(found[key], expected[key], (*path, key)) for key in expected if key in found)
            inner = next((step for step in steps if step), None)
            if alike or inner:
                return inner
        lost, more = ([repr(key) for key in one if key not in other] for one, other in
                      ((expected, found), (found, expected)))  # fmt: skip
        parts = [f"{keys(lost)} missing"] if lost else []
        parts += [f"{keys(more)} unexpected"] if more else []
        return path, f"{' and '.join(parts)}; {wanted_keys(list(expected))}."


def difference(
    found: object,
    expected: object,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    report: bool = False,
) -> str | None:
    """Say how `found` differs from `expected`; None where it does not.

    Compares tensors (type, shape, dtype, device, graph, then values), numbers, strings and nested tuples, lists
    and dicts of them. `rtol`, `atol`: tolerances for floating point and complex numbers; default: for tensors those
    of torch.testing, for Python's numbers 1e-6 and 1e-9; 0 tolerates nothing. `report`: both are what a probe says
    of an answer, so that the keys of a dict are phrases, and texts are the probe's words. Never raises: what cannot
    be compared is a difference.
    """
    try:
        apart = _Comparison(rtol, atol, report=report).any(found, expected)
        return None if apart is None else capital(at(apart[0], report=report) + apart[1])
    except Exception as error:  # noqa: BLE001 - an answer may return anything, also what refuses to be compared
        first = (str(error).splitlines() or [""])[0]
        return f"Found {type(found).__name__}, which cannot be compared with {kind_of(expected)}: {first}"


def _nature(found, expected):
    """Say in what two tensors differ before their values do."""
    if found.shape != expected.shape:
        return f"shape {tuple(found.shape)}, expected {tuple(expected.shape)}."
    if found.dtype != expected.dtype:
        return f"dtype {dtype_of(found)}, expected {dtype_of(expected)}."
    if found.device != expected.device:
        return f"on device {found.device}, expected {expected.device}."
    if found.layout != expected.layout:
        return f"layout {found.layout}, expected {expected.layout}."
    if expected.requires_grad and not found.requires_grad:
        return "it is detached from the graph (requires_grad is False), but it must require a gradient."
    if found.requires_grad and not expected.requires_grad:
        return "it is still part of a graph (requires_grad is True), but it must not require a gradient."
    return None


def _elements(found, expected, wrong):
    index, share = wrong.nonzero()[0].tolist(), int(wrong.sum())
    said = pair(found[tuple(index)].item(), expected[tuple(index)].item())
    if expected.numel() > 1 and not found.any() and expected.any():
        return f"every element is 0; at {index} {said}."
    if not index:
        return f"wrong value: {said}."
    more = f" ({share} of {wrong.numel()} elements are wrong)" if share > 1 else ""
    return f"wrong at {index}: {said}.{more}"
