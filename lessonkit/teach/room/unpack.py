"""Unpack archives that cannot be trusted: refuse unsafe members, links and sizes before a byte is written."""

import bz2
import contextlib
import gzip
import lzma
import os
import stat
import tarfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, NamedTuple

from lessonkit.system.plain_file import open_plain
from lessonkit.teach.room.file_types import LARGEST

MOST_FILES = 5000
MOST_BYTES = 2 * 2**30  # of all files together
_RATIO = 200  # times its packed size; text of a notebook comes to some 10
_SMALL = 2**20  # bytes for which the ratio is not asked
_PIECE = 2**16  # bytes that are in memory at a time; no header of a tar file has as many


class Unsafe(Exception):
    """An archive that is not unpacked; the text says why."""


class Member(NamedTuple):
    """A file in an archive: where it lies, how long it is, and its bytes, to be read before the next member.

    `modified`: when it was changed, `2026-11-20 10:11:12`, empty where the archive does not say; `folder`: whether
    it is one, of which there are no bytes; `guessed`: whether the encoding of its name is not known.
    """

    path: PurePosixPath
    size: int
    pieces: Iterator[bytes]
    modified: str = ""
    folder: bool = False
    guessed: bool = False


def members(archive: Path, *, most: int = MOST_BYTES) -> Iterator[Member]:
    """Yield the files and folders of a zip or tar file. All is looked at before the first is yielded.

    Raises `Unsafe` for one with a path out of its folder, a link, a device, too much in it (of all files more than
    `most` bytes), or that is damaged; the last is found out as the pieces are read. Of what is packed no more is
    ever in memory than a piece.
    """
    try:
        with open_plain(archive) as file:
            yield from (_zip if zipfile.is_zipfile(file) else _tar)(file, most)
    except Unsafe:
        raise
    except Exception as error:  # noqa: BLE001 - packed by a stranger: any of a dozen errors, all of one meaning
        raise _unsafe(error) from None


def _unsafe(error: Exception) -> Unsafe:
    if isinstance(error, RuntimeError) and not isinstance(error, (NotImplementedError, RecursionError)):
        return Unsafe("it is encrypted")  # zipfile's word for one that asks for a password
    return Unsafe(_damaged(error))


def _damaged(error):
    return f"it is damaged or of a kind that cannot be read ({type(error).__name__}: {error})"


def is_archive(name: str) -> bool:
    """Return whether a file's name is that of an archive."""
    return name.lower().endswith((".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"))


def safe_path(name: str) -> PurePosixPath:
    """Return a member's path. Raises `Unsafe` for one that leads out of the folder."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or "\0" in name or any(":" in part for part in path.parts[:1]):
        raise Unsafe(f"it holds {name[:100]!r}, a path that leads out of the folder")
    return path


def _zip(file, most):
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        _bounded([(one.filename, one.file_size, one.compress_size) for one in entries], most)
        chosen = []
        for one in entries:
            path = safe_path(_name(one))
            kind = stat.S_IFMT(one.external_attr >> 16)
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise Unsafe(f"it holds {one.filename[:100]!r}, a link or a device")
            if path.parts:
                chosen.append((path, one))
        for path, one in chosen:
            modified = "{}-{:02}-{:02} {:02}:{:02}:{:02}".format(*one.date_time) if one.date_time[0] > 1980 else ""
            if one.filename.endswith(("/", "\\")):
                yield Member(path, 0, iter(()), modified, folder=True)
            else:
                guessed = not one.flag_bits & 0x800 and _name(one) == one.filename and not one.filename.isascii()
                yield Member(path, one.file_size, _from_zip(archive, one, path), modified, guessed=guessed)


def _from_zip(archive: zipfile.ZipFile, one: zipfile.ZipInfo, path: PurePosixPath) -> Iterator[bytes]:
    try:
        data = archive.open(one)  # as the bytes are asked for: of most members nobody does
    except Exception as error:  # noqa: BLE001 - as above
        raise _unsafe(error) from None
    with data:
        yield from _pieces(data, one.file_size, path)


def _name(one: zipfile.ZipInfo) -> str:
    """Return a member's name. macOS writes UTF-8 and does not say so; then zipfile has read it as code page 437."""
    if one.flag_bits & 0x800:
        return one.filename
    try:
        return one.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return one.filename


def _tar(file, most):
    packed = os.fstat(file.fileno()).st_size
    with _unpacked(file) as stream:
        bounded = _Bounded(stream, max(_SMALL, _RATIO * packed))
        try:
            archive = tarfile.TarFile(fileobj=bounded)
        except (tarfile.TarError, OSError, EOFError, zlib.error, lzma.LZMAError):
            raise Unsafe("it is neither a zip nor a tar archive") from None
        with archive:
            chosen, sizes = [], []
            for one in archive:  # not `getmembers`: one with a billion of them ends at the bound
                sizes.append((one.name, one.size, max(one.size, 1)))
                if len(sizes) > MOST_FILES or not 0 <= one.size <= LARGEST:
                    _bounded(sizes, most)
                path = safe_path(one.name)
                if not (one.isreg() or one.isdir()) or one.issparse():
                    raise Unsafe(f"it holds {one.name[:100]!r}, a link or a device, or a file with holes")
                if path.parts:
                    chosen.append((path, one))
            _bounded(sizes, most)
            for path, one in chosen:
                when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(one.mtime)) if 0 < one.mtime < 1 << 33 else ""
                if one.isdir():
                    yield Member(path, 0, iter(()), when, folder=True)
                else:
                    guessed = any("\ud800" <= letter <= "\udfff" for letter in one.name)
                    yield Member(path, one.size, _from_tar(archive, one, path), when, guessed=guessed)


def _from_tar(archive: tarfile.TarFile, one: tarfile.TarInfo, path: PurePosixPath) -> Iterator[bytes]:
    try:
        data = archive.extractfile(one)
    except Unsafe:
        raise
    except Exception as error:  # noqa: BLE001 - as above
        raise _unsafe(error) from None
    yield from _pieces(data, one.size, path)


def _unpacked(file: BinaryIO) -> AbstractContextManager[BinaryIO]:
    """Return the bytes of a tar file as a stream, by what it begins with and not by its name."""
    file.seek(0)  # somebody has looked for a zip's end
    start = file.read(6)
    file.seek(0)
    for mark, opener in ((b"\x1f\x8b", gzip.GzipFile), (b"BZh", bz2.BZ2File), (b"\xfd7zXZ", lzma.LZMAFile)):
        if start.startswith(mark):
            return opener(file) if opener is not gzip.GzipFile else opener(fileobj=file)
    return contextlib.nullcontext(file)


class _Bounded:
    """A stream for tarfile, which reads what headers claim: at once no more than a piece, in all than `most`.

    Both passes, over the headers and over the files, count, and going back to the start of what is packed.
    """

    def __init__(self, file: BinaryIO, most: int) -> None:
        self.file, self.most, self.left = file, most, 4 * most

    def read(self, size: int) -> bytes:
        """Return so many bytes. Raises `Unsafe` for more than a piece."""
        if not 0 <= size <= _PIECE:
            raise Unsafe(f"it holds a header of more than {_PIECE // 1024} KB")
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


def _bounded(sizes, most):
    """Refuse what an archive says of itself to be too much; what it says falsely is seen as it is read."""
    if len(sizes) > MOST_FILES:
        raise Unsafe(f"it holds more than {MOST_FILES} files")
    for name, size, packed in sizes:
        if size > LARGEST:
            raise Unsafe(f"{name[:100]!r} in it has {size / 2**20:.0f} MB; at most {LARGEST // 2**20} are taken")
        if size < 0 or size > max(_SMALL, _RATIO * packed):
            raise Unsafe(f"{name[:100]!r} in it grows {size // max(packed, 1)} times as it is unpacked")
    if sum(size for _, size, _ in sizes) > most:
        raise Unsafe(f"it holds more than {MOST_BYTES // 2**30} GB, with what lies beside it")


def _pieces(file: IO[bytes], size: int, path: PurePosixPath) -> Iterator[bytes]:
    left = size
    while left >= 0:
        try:
            piece = file.read(_PIECE)
        except Unsafe:
            raise
        except Exception as error:  # noqa: BLE001 - as above: these are raised where the pieces are read
            raise Unsafe(_damaged(error)) from None
        if not piece:
            break
        left -= len(piece)
        yield piece
    if left:
        raise Unsafe(f"{str(path)[:100]!r} in it is not as long as it says")
