"""Which names a pickle would import, read from its instructions: nothing of it is run.

A pickle can call only what it imports. So one without an import holds plain values, whatever its protocol.
"""

import pickletools
from collections.abc import Iterable
from typing import BinaryIO

UNKNOWN = "a name that the file computes while it is opened"
_PUTS = ("PUT", "BINPUT", "LONG_BINPUT")
_GETS = ("GET", "BINGET", "LONG_BINGET")
_OTHER_IMPORTS = ("EXT1", "EXT2", "EXT4", "PERSID")  # BINPERSID is how torch.save refers to a tensor's bytes


def first_value(data: bytes | BinaryIO) -> object:
    """Return the first number or text that a pickle pushes, None for a damaged one; torch.save's is a mark."""
    try:
        return next((argument for one, argument, _ in pickletools.genops(data) if one.name != "PROTO"), None)
    except ValueError:
        return None


def imported(data: bytes | BinaryIO) -> list[str]:
    """Return the names that a pickle imports, such as `["collections.OrderedDict"]`, each once and sorted.

    `UNKNOWN` stands for one that cannot be told from the instructions. Raises ValueError for what is no whole
    pickle.
    """
    return sorted(set(_imports(pickletools.genops(data))))


def _imports(operations: Iterable[tuple]) -> Iterable[str]:
    memo: dict[int, str | None] = {}
    pushed: list[str | None] = [None, None]  # the last two values, where they are texts
    for operation, argument, _ in operations:
        name = operation.name
        if name in ("GLOBAL", "INST"):
            yield str(argument).replace(" ", ".", 1)
        elif name == "STACK_GLOBAL":
            yield UNKNOWN if None in pushed else ".".join(pushed)
        elif name in _OTHER_IMPORTS:
            yield UNKNOWN
        if name == "MEMOIZE":
            memo[len(memo)] = pushed[-1]
        elif name in _PUTS:
            memo[argument] = pushed[-1]
        elif name in _GETS:
            pushed = [pushed[-1], memo.get(argument)]
        elif name not in ("PROTO", "FRAME"):  # these two push nothing
            pushed = [pushed[-1], argument if "UNICODE" in name and isinstance(argument, str) else None]
