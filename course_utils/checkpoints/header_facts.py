"""What must stand in the header of a checkpoint, whoever wrote it: a checksum finds accidents, not intentions."""

import zipfile
from typing import Any

FACTS = {"epoch": int, "step": int, "metrics": dict, "versions": dict, "holds": list}
LARGEST = 64 << 20  # bytes; the metrics of a million steps have some 20 MB


def member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a member's bytes. Raises ValueError for one larger than any header: a few bytes may unpack to all."""
    with archive.open(name) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError("a header without an end")
    return data


def odd(header: dict[str, Any]) -> str | None:
    """Return what in a header is not what `save_checkpoint` writes, in words; None where all is."""
    for name, kind in FACTS.items():
        if type(header.get(name)) is not kind:
            return f"{name!r} in its header is {str(header.get(name))[:40]!r}"
    if not all(isinstance(part, str) for part in header["holds"]):
        return "'holds' in its header names no parts"
    return None
