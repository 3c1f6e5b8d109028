"""The bytes of a tar file from strangers, unpacked, for a reader that believes what headers claim."""

import bz2
import contextlib
import gzip
import lzma
from contextlib import AbstractContextManager
from typing import BinaryIO

PIECE = 2**16  # bytes that are in memory at a time; no header of a tar file has as many


class Unsafe(Exception):
    """An archive that is not unpacked; the text says why."""


def unpacked(file: BinaryIO) -> AbstractContextManager[BinaryIO]:
    """Return the bytes of a tar file as a stream, by what it begins with and not by its name."""
    file.seek(0)  # somebody has looked for a zip's end
    start = file.read(6)
    file.seek(0)
    for mark, opener in ((b"\x1f\x8b", gzip.GzipFile), (b"BZh", bz2.BZ2File), (b"\xfd7zXZ", lzma.LZMAFile)):
        if start.startswith(mark):
            return opener(file) if opener is not gzip.GzipFile else opener(fileobj=file)
    return contextlib.nullcontext(file)


class Bounded:
    """A stream for tarfile, which reads what headers claim: at once no more than a piece, in all than `most`.

    Both passes, over the headers and over the files, count, and going back to the start of what is packed.
    """

    def __init__(self, file: BinaryIO, most: int) -> None:
        self.file, self.most, self.left = file, most, 4 * most

    def read(self, size: int) -> bytes:
        """Return so many bytes. Raises `Unsafe` for more than a piece."""
        if not 0 <= size <= PIECE:
            raise Unsafe(f"it holds a header of more than {PIECE // 1024} KB")
        self._count(size)
        return self.file.read(size)

    def seek(self, place: int) -> int:
        """Go to a place from the start. Raises `Unsafe` for one that lies too far."""
        if not 0 <= place <= self.most:
            raise Unsafe("it grows too much as it is unpacked, or says that it does")
        self._count(abs(place - self.file.tell()))
        return self.file.seek(place)

    def tell(self) -> int:
        """Return the place."""
        return self.file.tell()

    def _count(self, size):
        self.left -= size
        if self.left < 0:
            raise Unsafe("it grows too much as it is unpacked")
