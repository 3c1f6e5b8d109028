"""The protocol between a sandbox and the judge: serialize an answer's outcomes so that reading them runs no code.

A message is a line of JSON, followed by the bytes of its tensors in order. (Pickle would run code of the sender's.)
"""

import json
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import torch

from lessonkit.checks.alteration import Alteration
from lessonkit.checks.snapshot import Foreign

READY = b"ready"  # the line before the first message
MOST = 64 * 2**20  # bytes of one message; the largest that a right answer needs is below one hundredth of it
_LINE = 4 * 2**20  # bytes of the JSON in it, which takes thirty times as many once it is read
_DEEP = 40  # containers within containers
_DTYPES = {str(one): one for one in vars(torch).values() if isinstance(one, torch.dtype)}
_CONTAINERS = {"tuple": tuple, "list": list, "set": set, "frozenset": frozenset}


class Unreadable(Exception):
    """A message that is not of this form; the text says in what."""


def pack(message: dict[str, object]) -> bytes:
    """Return the bytes of a message: JSON's own types, and under "value" whatever `snapshot` returns.

    Raises `Unreadable` where it is larger than MOST.
    """
    blobs: list[bytes] = []
    line = json.dumps(_outward(message, blobs), ensure_ascii=True).encode() + b"\n"
    data = line + b"".join(blobs)
    if len(data) > MOST:
        raise Unreadable(
            f"what it returned takes {len(data) / 2**20:.0f} MB; at most {MOST // 2**20} are looked at"
        )
    return data


def unpack(data: bytes) -> dict[str, object]:
    """Return the message in `data`. Raises `Unreadable`, and nothing else, for whatever the bytes are."""
    line, _, rest = data.partition(b"\n")
    try:
        if len(line) > _LINE:
            raise Unreadable(f"more than {_LINE // 2**20} MB beside its tensors")
        read = _Inward(rest)
        message = read.any(json.loads(line), 0)
        if not isinstance(message, dict):
            raise Unreadable("it is no table")
    except Unreadable:
        raise
    except Exception as error:  # noqa: BLE001 - written by a stranger: any of a dozen errors, all of one meaning
        raise Unreadable(f"{type(error).__name__}: {error}"[:200]) from None
    return message


def _outward(value, blobs):
    """Return `value` as JSON has it: what JSON does not know becomes a list that begins with its kind."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else ["int", hex(value)]
    if isinstance(value, float):
        return value if math.isfinite(value) else ["float", repr(value)]
    if isinstance(value, torch.Tensor):
        return _tensor(value, blobs)
    if isinstance(value, dict):
        return ["dict", *([_outward(key, blobs), _outward(one, blobs)] for key, one in value.items())]
    for name, kind in _CONTAINERS.items():
        if isinstance(value, kind):
            return [name, *(_outward(one, blobs) for one in value)]
    return [type(value).__name__, *_parts(value)]


def _parts(value):
    if isinstance(value, complex):
        return [repr(value.real), repr(value.imag)]
    if isinstance(value, bytes):
        return [value.hex()]
    if isinstance(value, Foreign):
        return [value.kind, value.words]
    if isinstance(value, Alteration):
        return [value.argument, value.kind, value.words]
    if isinstance(value, (Decimal, Fraction, torch.dtype, torch.device)):
        return [str(value)]
    if value is ...:
        return []
    raise Unreadable(f"a value of class {type(value).__name__} cannot be sent")


def _tensor(tensor, blobs):
    plain = tensor.detach()
    if plain.layout is not torch.strided or plain.is_quantized or plain.device.type != "cpu":
        kind = f"a {plain.layout} tensor on {plain.device}"
        return ["Foreign", "Tensor", kind]
    flat = torch.empty(plain.numel(), dtype=plain.dtype).copy_(
        plain.reshape(-1)
    )  # of one number, any stride is contiguous
    data = flat.view(torch.uint8).numpy().tobytes()
    blobs.append(data)
    return ["tensor", str(tensor.dtype), list(tensor.shape), tensor.requires_grad, len(data)]


class _Inward:
    """Reads what `_outward` wrote, each part tried before it is believed."""

    def __init__(self, blobs: bytes) -> None:
        self.blobs, self.place = blobs, 0

    def any(self, found, depth):
        if depth > _DEEP:
            raise Unreadable(f"containers more than {_DEEP} deep")
        if found is None or isinstance(found, (bool, int, float, str)):
            return found
        if not isinstance(found, list) or not found or not isinstance(found[0], str):
            raise Unreadable("a list without its kind")
        kind, parts = found[0], found[1:]
        if kind in _CONTAINERS:
            return _CONTAINERS[kind](self.any(one, depth + 1) for one in parts)
        if kind == "dict":
            return {self.any(key, depth + 1): self.any(one, depth + 1) for key, one in parts}
        if kind == "tensor":
            return self.tensor(*parts)
        if kind not in _READERS:
            raise Unreadable(f"no kind {kind[:40]!r}")
        return _READERS[kind](*parts)

    def tensor(self, dtype, shape, gradient, size):
        start, self.place = self.place, self.place + int(size)
        data, kind = bytearray(self.blobs[start : self.place]), _DTYPES[dtype]
        if size < 0 or len(data) != size or math.prod(shape) * kind.itemsize != size:
            raise Unreadable("a tensor of another size than its bytes")
        flat = torch.frombuffer(data, dtype=kind) if data else torch.empty(0, dtype=kind)
        return flat.reshape(shape).requires_grad_(gradient is True)


_READERS: dict[str, Callable] = {
    "int": lambda text: int(text, 16),
    "float": float,
    "complex": lambda real, imaginary: complex(float(real), float(imaginary)),
    "bytes": bytes.fromhex,
    "ellipsis": lambda: ...,
    "Foreign": lambda kind, words: Foreign(str(kind)[:80], words=str(words)[:200]),
    "Alteration": lambda argument, kind, words: Alteration(int(argument), str(kind), str(words)[:300]),
    "Decimal": Decimal,
    "Fraction": lambda text: Fraction(*(int(part) for part in text.split("/"))),  # no exponent of a billion
    "dtype": lambda text: _DTYPES[text],
    "device": torch.device,
}
