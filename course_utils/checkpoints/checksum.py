"""A SHA-256 at the end of a file, over all bytes before it: one flipped bit anywhere is seen."""

import hashlib
import os
from typing import BinaryIO

MARK = b"sha256:"
SIZE = len(MARK) + 64  # bytes: the mark and 64 hexadecimal digits


def write(file: BinaryIO) -> None:
    """Replace the last `SIZE` bytes of an open file, kept free for it, by the checksum of all that precede them."""
    checksum = _digest(file)
    file.seek(-SIZE, os.SEEK_END)
    file.write(checksum)


def has_checksum(file: BinaryIO) -> bool:
    """Return whether an open file ends in a checksum, right or wrong."""
    return _last(file).startswith(MARK)


def is_intact(file: BinaryIO) -> bool:
    """Return whether the checksum at the end of an open file is that of its bytes. Reads the whole file."""
    return _last(file) == _digest(file)


def _last(file):
    file.seek(max(0, file.seek(0, os.SEEK_END) - SIZE))
    return file.read()


def _digest(file):
    left = file.seek(0, os.SEEK_END) - SIZE
    file.seek(0)
    digest = hashlib.sha256()
    while left > 0 and (block := file.read(min(left, 1 << 20))):
        digest.update(block)
        left -= len(block)
    return MARK + digest.hexdigest().encode()
