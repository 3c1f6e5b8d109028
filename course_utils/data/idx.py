"""Read IDX files (the format of MNIST) whose size is known beforehand, and refuse everything else in words.

Format: http://yann.lecun.com/exdb/mnist (two zero bytes, element type, number of dimensions, the dimensions
as big-endian 32-bit numbers, then the bytes). No torch here: processes that only download stay light.
"""

import gzip
import hashlib
import lzma
import math
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from course_utils.data.errors import DataError, damaged
from lessonkit.system.plain_file import open_plain

STEP = 1 << 20
# What unpacking raises for damaged bytes; OSError and EOFError beside, which have words of their own.
BROKEN = (gzip.BadGzipFile, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error)


@dataclass(frozen=True)
class IdxFile:
    """What a file must be: its unpacked name, its shape (bytes), and the published MD5s, where there are any."""

    name: str
    shape: tuple[int, ...]
    md5: str | None = None  # of the unpacked bytes
    packed_md5: str | None = None  # of the .gz file as published

    @property
    def packed_name(self) -> str:
        """Return the name under which it is downloaded and kept."""
        return f"{self.name}.gz"

    @property
    def header(self) -> bytes:
        """Return the bytes the file must begin with."""
        head = bytes((0, 0, 8, len(self.shape)))
        return head + b"".join(length.to_bytes(4, "big") for length in self.shape)

    @property
    def size(self) -> int:
        """Return the number of unpacked bytes, header included."""
        return len(self.header) + math.prod(self.shape)

    def refusal(self, part: Path) -> str | None:
        """Return why a downloaded file is not what was published, or None."""
        try:
            _, verified = read(part, self, advice="")
        except DataError as error:
            return error.reason
        return None if verified else f"found a packing of another MD5, expected {self.packed_md5}"

    def settle(self, folder: Path) -> None:
        """Leave the downloaded file in `folder` as it is: packed ones are read like others."""


def read(path: Path, file: IdxFile, *, advice: str, member: str | None = None) -> tuple[bytearray, bool]:
    """Read one IDX file, packed or not, or a member of a zip.

    Return (buffer, verified): a bytearray of `file.size` bytes whose header is checked, and whether a published
    MD5 was met. Never holds more than `file.size` + 1 bytes, whatever the header or the packing claims.
    Raise `DataError`.
    """
    with _opened(path, file, advice, member) as stream:
        buffer = _filled(stream, len(file.header))
        _check_header(path, file, bytes(buffer), advice)
        buffer += _filled(stream, file.size - len(buffer) + 1)  # one byte more shows a file that is too long
        if len(buffer) < file.size:
            raise damaged(path, f"only {len(buffer):,} bytes inside", f"{file.size:,}", advice)
        if len(buffer) > file.size:
            raise damaged(path, f"more than {file.size:,} bytes inside", f"exactly {file.size:,}", advice)
    if file.md5 is not None:
        found = hashlib.md5(buffer, usedforsecurity=False).hexdigest()
        if found != file.md5:
            raise damaged(path, f"content with the MD5 {found}", file.md5, advice)
        return buffer, True
    if file.packed_md5 is None or member is not None:
        return buffer, False
    try:
        with open_plain(path) as whole:
            digest = hashlib.file_digest(whole, lambda: hashlib.md5(usedforsecurity=False))
    except OSError as error:
        found = f"a file that was replaced while it was read ({error.strerror})"
        raise damaged(path, found, "one that stays as it is", advice) from error
    return buffer, digest.hexdigest() == file.packed_md5


def check_start(path: Path, file: IdxFile, *, advice: str, member: str | None = None) -> None:
    """Check that a file is there, can be read and has the right header, without reading on. Raise `DataError`."""
    with _opened(path, file, advice, member) as stream:
        _check_header(path, file, bytes(_filled(stream, len(file.header))), advice)


def _filled(stream, size):
    """Up to `size` bytes, in steps, so that nothing is allocated before it has arrived."""
    buffer = bytearray()
    while len(buffer) < size and (chunk := stream.read(min(STEP, size - len(buffer)))):
        buffer += chunk
    return buffer


def _check_header(path, file, head, advice):
    if head.lstrip()[:1] == b"<":
        found = f"a web page (it begins with {head[:15].decode('latin-1')!r}; a log-in or error page?)"
        raise damaged(path, found, f"the IDX file {file.name}", advice)
    if len(head) < len(file.header):
        raise damaged(path, f"only {len(head)} bytes inside", f"{file.size:,}", advice)
    if head[:4] != file.header[:4]:
        raise damaged(path, f"the magic number 0x{head[:4].hex()}", f"0x{file.header[:4].hex()}", advice)
    if head != file.header:
        claimed = " × ".join(f"{int.from_bytes(head[i : i + 4], 'big'):,}" for i in range(4, len(head), 4))
        expected = " × ".join(f"{length:,}" for length in file.shape)
        raise damaged(path, f"a header that claims {claimed} bytes", expected, advice)


@contextmanager
def _opened(path: Path, file: IdxFile, advice: str, member: str | None) -> Iterator[BinaryIO]:
    """Return the unpacked bytes as a stream; whatever opening or unpacking raises becomes a `DataError`."""
    path = Path(path)
    expected = f"{file.size:,} bytes of IDX data, packed or not"
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise damaged(path, "a folder", "a file", advice)
        if not stat.S_ISREG(status.st_mode):
            raise damaged(path, "a device, pipe or socket", "a plain file", advice)
        if status.st_size == 0:
            raise damaged(path, "an empty file", expected, advice)
        with open_plain(path) as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            if member is not None:
                with zipfile.ZipFile(raw) as archive, archive.open(member) as stream:
                    yield stream
            elif packed:
                with gzip.GzipFile(fileobj=raw) as stream:
                    yield stream
            else:
                yield raw
    except EOFError:
        found = f"a packed file that is cut off ({status.st_size:,} packed bytes)"
        raise damaged(path, found, expected, advice) from None
    except (*BROKEN, KeyError, RuntimeError, ValueError) as error:
        raise damaged(path, f"a packed file that does not unpack ({error})", expected, advice) from error
    except FileNotFoundError:
        raise damaged(path, "no file", expected, advice) from None
    except PermissionError:
        raise damaged(path, "a file without read permission", "one that you may read", advice) from None
    except OSError as error:
        raise damaged(path, f"a file that cannot be read ({error.strerror})", expected, advice) from error
