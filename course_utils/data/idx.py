"""Data sets of IDX files (the format of MNIST): grey pictures of 28 × 28 pixels with their classes, in two splits.

The size of every file is known beforehand; whatever differs is refused in words.

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
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, ClassVar

from course_utils.data.errors import DataError, damaged
from course_utils.data.place import Place
from lessonkit.system.plain_file import open_plain

SPLITS = ("train", "test")
NAMES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")
STEP = 1 << 20
PACKINGS = 3  # a browser or a script may have packed once more what was packed
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
    def names(self) -> tuple[str, ...]:
        """Return the names that people's copies have: with `.idx3-ubyte` as ending, packed, packed twice."""
        plain = (self.name, self.name.replace("-idx", ".idx"))
        return tuple(f"{name}{ending}" for ending in ("", ".gz", ".gz.gz") for name in dict.fromkeys(plain))

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
        with ExitStack() as opened:
            stream = opened.enter_context(open_plain(path))
            if member is not None:
                archive = opened.enter_context(zipfile.ZipFile(stream))
                stream = opened.enter_context(archive.open(member))
            for _ in range(PACKINGS):
                if not stream.peek(2).startswith(b"\x1f\x8b"):
                    break
                stream = opened.enter_context(gzip.GzipFile(fileobj=stream, mode="rb"))
            yield stream
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


@dataclass(frozen=True)
class IdxSet:
    """One data set. `files` and `sample` hold training images, training labels, test images, test labels."""

    call: ClassVar[str] = "load"  # the function of course_utils.datasets that gives such a set

    name: str
    title: str
    folder: str  # in COURSE_DATA and in the cache, as torchvision names it
    mirrors: tuple[str, ...]
    classes: tuple[str, ...]
    files: tuple[IdxFile, ...]
    sample: tuple[IdxFile, ...] | None = None
    licence: str = ""
    passed_on: bool = False  # whether the licence lets copies be handed to others

    def sizes(self, source: str = "full") -> str:
        """Return the two splits in words, such as `60,000 training and 10,000 test pictures`."""
        files = self.files_of(source)
        return f"{files[0].shape[0]:,} training and {files[2].shape[0]:,} test pictures"

    def total(self, source: str = "full") -> int:
        """Return the number of pictures."""
        return sum(file.shape[0] for file in self.files_of(source)[::2])

    def missing(self, folder: Path) -> tuple[IdxFile, ...]:
        """Return the files still to be fetched for a folder of the cache."""
        found = self._found(folder)
        return tuple(file for file in self.files if file.name not in found)

    def paths_in(self, folder: Path) -> dict[str, Path] | None:
        """Return {unpacked name: path} of the files in a folder, unpacked ones first; None where there is not one.

        Raise `DataError` for a set of which some files are missing.
        """
        found = self._found(folder)
        if found and (missing := self.missing(folder)):
            names = " and ".join(file.packed_name for file in missing)
            raise DataError(
                f"{folder} holds {len(found)} of the {len(self.files)} files of {self.title}: {names} "
                "cannot be found; add what is missing, or take the rest away.",
                f"{self.folder} is incomplete",
            )
        return found or None

    def embedded(self, samples: Path) -> Place | None:
        """Return the sample below the folder `samples`, a zip of four members, or None where the set has none."""
        if self.sample is None:
            return None
        archive = samples / f"{self.name}.zip"
        advice = f"run `git checkout -- data/samples/{archive.name}`"
        paths = {file.name: archive for file in self.sample}
        return Place("the embedded sample", "sample", archive, paths, advice)

    def check_start(self, place: Place) -> str:
        """Check the header of every file; return what was checked, in words. Raise `DataError`."""
        for file in self.files_of(place.source):
            check_start(place.paths[file.name], file, advice=place.advice, member=_member(place, file))
        return "only its headers were looked at"

    def verify(self, place: Place) -> str:
        """Read every file to its end; return what is whole and what was checked, in words. Raise `DataError`."""
        files = self.files_of(place.source)
        verified = all([self.read(place, file)[1] for file in files])  # a list: every file is read
        return f"all {len(files)} files of {place.name} are whole; {_checks(place, verified)}"

    def files_of(self, source: str) -> tuple[IdxFile, ...]:
        """Return the four files of the "full" set or of its "sample"."""
        return self.sample if source == "sample" else self.files

    def split_files(self, split: str, source: str = "full") -> tuple[IdxFile, IdxFile]:
        """Return the images' and the labels' file of a split. Raise `DataError` for one that does not exist."""
        if split not in SPLITS:
            raise DataError(f"There is no split {split!r} in {self.title}: choose one of {', '.join(SPLITS)}.")
        start = 2 * SPLITS.index(split)
        return self.files_of(source)[start : start + 2]

    def read_split(self, place: Place, split: str) -> tuple[memoryview, memoryview, str]:
        """Return (images, labels, what was checked): N × 28 × 28 and N bytes, writable. Raise `DataError`."""
        images, labels = self.split_files(split, place.source)
        pixels, sure = self.read(place, images)
        classes, labels_sure = self.read(place, labels)
        checks = _checks(place, sure and labels_sure)
        return memoryview(pixels)[len(images.header) :], memoryview(classes)[len(labels.header) :], checks

    def read(self, place: Place, file: IdxFile) -> tuple[bytearray, bool]:
        """Return (unpacked bytes, whether they met a known MD5) of one file. Raise `DataError`."""
        path = place.paths[file.name]
        buffer, verified = read(path, file, advice=place.advice, member=_member(place, file))
        if len(file.shape) == 1 and (top := max(buffer[len(file.header) :])) >= len(self.classes):
            raise damaged(path, f"the class {top}", f"classes 0 to {len(self.classes) - 1}", place.advice)
        return buffer, verified

    def _found(self, folder: Path) -> dict[str, Path]:
        found = {}
        for file in self.files:
            there = [path for name in file.names if _is_there(path := folder / name)]
            if there:  # some archives hold a folder of the file's name beside the file
                found[file.name] = next((path for path in there if path.is_file()), there[0])
        return found


def idx_files(
    *,
    train: int,
    test: int,
    md5s: tuple[str | None, ...] = (None,) * 4,
    packed_md5s: tuple[str | None, ...] = (None,) * 4,
) -> tuple[IdxFile, ...]:
    """Return the four files of a set of 28 × 28 pictures, `train` and `test` being the numbers of pictures."""
    shapes = ((train, 28, 28), (train,), (test, 28, 28), (test,))
    return tuple(IdxFile(*parts) for parts in zip(NAMES, shapes, md5s, packed_md5s, strict=True))


def _member(place, file):
    """Return the name inside the zip of a sample, or None where the file lies in a folder."""
    return file.name if place.source == "sample" else None


def _checks(place, verified):
    """Say what was checked, in words: `verified` is whether every file met a known MD5."""
    if not verified:
        return "checked by header and size only, as no MD5 is published for this packing"
    return f"the content has the {'published' if place.source == 'full' else 'recorded'} MD5"


def _is_there(path):
    """Whether something has this name, be it damaged or a broken link: what is there is judged by the reader."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    except NotADirectoryError:
        raise DataError(
            f"{path.parent} cannot be searched: found a file there, expected a folder; move it."
        ) from None
    except PermissionError:
        raise DataError(
            f"{path.parent} cannot be searched: found a folder without permission, expected one that you may "
            "read; give yourself the permission, or choose another folder with COURSE_DATA."
        ) from None
    return True
