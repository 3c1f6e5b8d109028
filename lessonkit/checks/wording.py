"""Put values into words: with enough digits to differ, short ones in full, and where in a result they are."""

import math
from numbers import Number

import torch

from lessonkit.checks.snapshot import Foreign

SHORT = 70  # characters of a value that is shown in full
_ORDINALS = ("first", "second", "third", "fourth", "fifth")


def pair(found: Number, expected: Number) -> str:
    """Return "found …, expected …" with enough digits to differ; where they hardly do, the difference as well."""
    finite = all(isinstance(x, (int, float)) and math.isfinite(x) for x in (found, expected))
    apart = abs(found - expected) if finite else 0
    close = finite and 0 < apart <= 1e-3 * abs(expected)
    for digits in range(7, 18):
        one, other = number(found, digits), number(expected, digits)
        if one != other and (not close or abs(abs(float(one) - float(other)) - apart) <= 0.1 * apart):
            break
    said = f"found {one}, expected {other}"
    return f"{said}, a difference of {apart:.2g}" if close and isinstance(expected, float) else said


def values(found: object, expected: object, *, report: bool = False) -> str:
    """Return "found …, expected …." with what kind of thing each is, where that is the difference."""
    if type(found) is type(expected) and not isinstance(found, (torch.Tensor, tuple, list, dict, Foreign)):
        one, other = (_text(x, report) for x in (found, expected))
        if one and other and one != other:
            return f"found {one}, expected {other}."
    return f"found {kind_of(found, report=report)}, expected {kind_of(expected, report=report)}."


def kind_of(value: object, *, report: bool = False) -> str:
    """Describe a value: a short one by itself and its type, another one by its type and size."""
    if isinstance(value, torch.Tensor):
        return f"{a(dtype_of(value))} tensor of shape {tuple(value.shape)}"
    if isinstance(value, (tuple, list, dict, set, frozenset)):
        return f"a {type(value).__name__} of {len(value)}"
    if value is None or isinstance(value, Foreign):
        return repr(value)
    text = _text(value, report)
    if text is None:
        return f"a {type(value).__name__}"
    return text if text.startswith("“") else f"{text} ({type(value).__name__})"


def short(value: object) -> str | None:
    """Return a value as it would be typed, with few digits; None where that is long or cannot be typed."""
    text = _typed(value)
    return text if text is not None and len(text) <= SHORT else None


def at(path: tuple, *, report: bool = False) -> str:
    """Return where in a result something stands, up to a colon: keys, and places counted from 0."""
    phrases, brackets = [], ""
    for number, step in enumerate(path):
        if isinstance(step, tuple):
            place, whole = step
            if number == len(path) - 1 == 0 and isinstance(whole, tuple) and len(whole) <= len(_ORDINALS):
                return f"the {_ORDINALS[place]} of the {len(whole)} values: "
            brackets += f"[{place}]"
        elif report and isinstance(step, str):
            phrases += [f"at {brackets}"] if brackets else []
            phrases.append(step if " " in step or step.isalpha() else f"`{step}`")
            brackets = ""
        else:
            brackets += f"[{step!r}]"
    phrases += [f"at {brackets}"] if brackets else []
    return f"{', '.join(phrases)}: " if phrases else ""


def held(path: tuple, expected: bool) -> str:
    """Say of a phrase that it does not hold and should, or the other way round."""
    phrase = at(path, report=True).removesuffix(": ")
    said = "should hold, but it does not" if expected else "should not hold, but it does"
    return f"this {said}: {phrase}."


def keys(names: list[str], most: int = 5) -> str:
    """Return a subject and its verb: the first few keys, and how many more there are."""
    rest = [f"{len(names) - most} more"] if len(names) > most else []
    *others, last = [*names[:most], *rest]
    return f"the keys {', '.join(others)} and {last} are" if others else f"the key {last} is"


def wanted_keys(names: list) -> str:
    """Say which keys were expected, by name where that is short."""
    if not names:
        return "an empty dict was expected"
    listed, one = (short(names) or "")[1:-1], len(names) == 1
    if not listed:
        return "one key was expected" if one else f"{len(names)} keys were expected"
    return f"the key {listed} was expected" if one else f"the keys {listed} were expected"


def number(value: Number, digits: int = 7) -> str:
    """Return a number with that many digits; integers with all of theirs."""
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def capital(text: str) -> str:
    """Begin with a capital letter, unless it begins with a name."""
    return text if text.startswith("dtype ") else text[:1].upper() + text[1:]


def dtype_of(tensor: torch.Tensor) -> str:
    """Return the name of its dtype, without `torch.`."""
    return str(tensor.dtype).removeprefix("torch.")


def a(noun: str) -> str:
    """Put the article before a noun."""
    return f"an {noun}" if noun[0] in "AEIOUaeiou" else f"a {noun}"


def _text(value, report):
    if report and isinstance(value, str) and " " in value:
        return f"“{value}”"  # the probe's own words, which nobody returned
    text = repr(value)
    return text if len(text) <= 60 else None


def _typed(value):
    if value is None or isinstance(value, (bool, int, str, bytes, torch.dtype, torch.device)):
        return repr(value)
    if isinstance(value, float):
        return _float(value, torch.float64)
    if isinstance(value, complex):
        return number(value)
    if isinstance(value, torch.Tensor):
        if type(value) is not torch.Tensor or value.numel() > 6 or value.device.type != "cpu":
            return None
        plain = value.dtype in (torch.float32, torch.int64, torch.bool) and value.numel()
        end = ")" if plain else f", dtype={value.dtype})"
        if not value.numel() and value.dim() > 1:  # a list has no room for the axes behind one of size 0
            return f"torch.empty({tuple(value.shape)}{end}"
        return f"torch.tensor({_listed(value.detach().tolist(), value.dtype)}{end}"
    if isinstance(value, dict):
        parts = [(_typed(key), _typed(item)) for key, item in list(value.items())[:SHORT]]
        known = all(text is not None for two in parts for text in two)
        return "{" + ", ".join(f"{key}: {item}" for key, item in parts) + "}" if known else None
    if type(value) in (tuple, list):
        parts = [_typed(item) for item in value[:SHORT]]
        if any(text is None for text in parts):
            return None
        inside = ", ".join(parts)
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' if len(value) == 1 else ''})"
    return None


def _listed(values, dtype):
    """Nested lists of a tensor's numbers as they would be typed for this dtype."""
    if isinstance(values, list):
        return f"[{', '.join(_listed(one, dtype) for one in values)}]"
    return _float(values, dtype) if isinstance(values, float) else _typed(values)


def _float(value, dtype):
    """Few digits, unless the number would look rounder than it is: 0.999999999999 is not 1."""
    exact = torch.tensor(value, dtype=dtype)
    nine = [number(value, 9)] if dtype != torch.float64 else []  # these tell any two float32 apart
    for text in (number(value), *nine, repr(value)):
        figures = text.partition("e")[0].strip("-").replace(".", "").lstrip("0")
        if len(figures) > 4 or not math.isfinite(value) or torch.tensor(float(text), dtype=dtype) == exact:
            break
    return text if set(text) & set(".en") else f"{text}.0"
