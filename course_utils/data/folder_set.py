"""Data sets that are folders of many files: which files they must hold, and how a damaged one is recognised.

No hash is published for either archive. So a folder is judged by the number of its files, a file by whether it can
be read to its end; the SHA-256 of the copy that the course was written with is recorded, and named as such.
`registry.DataSet` says which methods the three kinds share.
"""

import hashlib
import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from course_utils.data.archive import Archive
from course_utils.data.errors import DataError, damaged
from course_utils.data.place import Place
from course_utils.data.wav import sound_bytes
from lessonkit.system.hidden import is_visible
from lessonkit.system.plain_file import open_plain

FORMATS = ("JPEG", "PNG")
MOST_PIXELS = 20_000_000  # of a picture; those of the course have half a million
MOST_BYTES = 20_000_000  # of a picture's file: Pillow looks for a JPEG's parts byte by byte, 16 MB in 7 s
# What Pillow and our own reader raise for damaged bytes; SyntaxError is Pillow's for a broken header.
BROKEN = (
    *(OSError, EOFError, SyntaxError, ValueError, RuntimeError, struct.error),
    *(LookupError, TypeError, AttributeError, ArithmeticError, AssertionError),
)
COUNTED = "checked by the number of files, as no hash is published"


@dataclass(frozen=True)
class FolderSet:
    """One data set of files. `parts` and `sample`: (sub-folder, number of files with one of `suffixes`)."""

    call: ClassVar[str] = "folder"  # the function of course_utils.datasets that gives such a set

    name: str
    title: str
    folder: str  # in COURSE_DATA and in the cache
    mirrors: tuple[str, ...]
    files: tuple[Archive, ...]  # what is downloaded: one archive
    things: str
    suffixes: tuple[str, ...]
    parts: tuple[tuple[str, int], ...]
    sample: tuple[tuple[str, int], ...]
    sha256: str  # of the full set as the course's author had it
    sample_sha256: str
    sample_note: str = ""
    licence: str = ""
    passed_on: bool = False  # whether the licence lets copies be handed to others

    def sizes(self, source: str = "full") -> str:
        """Return the number of files in words, such as `3,000 recordings`."""
        return f"{self.total(source):,} {self.things}{self.sample_note if source == 'sample' else ''}"

    def total(self, source: str = "full") -> int:
        """Return the number of files."""
        return sum(number for _, number in (self.sample if source == "sample" else self.parts))

    def missing(self, folder: Path) -> tuple[Archive, ...]:
        """Return the archives still to be fetched for a folder of the cache."""
        _, short = self._found(folder)
        return self.files if short else ()

    def paths_in(self, folder: Path) -> dict[str, Path] | None:
        """Return {relative name: path} of the set's files in a folder, or None where there is none.

        More files than expected are no fault. Raise `DataError` for fewer.
        """
        found, short = self._found(folder)
        if found and short:
            raise DataError(
                f"{folder} is incomplete: found {' and '.join(short)}; add what is missing, or take the rest away.",
                f"{self.folder} is incomplete",
            )
        return found or None

    def embedded(self, samples: Path) -> Place:
        """Return the sample below the folder `samples`. Raise `DataError` where files of it are missing."""
        folder = samples / self.folder
        paths = {path.relative_to(folder).as_posix(): path for path in files_of(folder, self.suffixes)}
        advice = f"run `git checkout -- data/samples/{self.folder}`"
        if len(paths) < self.total("sample"):
            raise DataError(f"{folder} is incomplete: found {len(paths)} of {self.sizes('sample')}; {advice}.")
        return Place("the embedded sample", "sample", folder, paths, advice)

    def check_start(self, place: Place) -> str:
        """Refuse a file without a byte, which an interrupted copy leaves behind.

        Return what was checked, in words. Raise `DataError`.
        """
        for path in place.paths.values():
            try:
                size = path.stat().st_size
            except OSError as error:
                raise _gone(path, error, place) from error
            if size == 0:
                raise damaged(path, "an empty file", "a recording or a picture", place.advice)
        return COUNTED

    def verify(self, place: Place) -> str:
        """Read every file to its end; return what is whole and what was checked, in words. Raise `DataError`."""
        self.check_start(place)
        for path in place.paths.values():
            check_content(path, place.advice)
        try:
            found = digest(place.root, place.paths.values())
        except OSError as error:
            raise _gone(error.filename or place.root, error, place) from error
        if place.source == "sample" and found != self.sample_sha256:
            raise damaged(place.root, f"content with the SHA-256 {found}", self.sample_sha256, place.advice)
        content = "; no hash is published, and it is not the copy that the course knows"
        if found in (self.sha256, self.sample_sha256):
            content = ", and the content has the recorded SHA-256"
        whole = f"all {len(place.paths):,} {self.things} of {place.name} are whole"
        return f"{whole}; every file was read to its end{content}"

    def _found(self, folder):
        """({relative name: path}, [what there is too little of, in words])."""
        found, short = {}, []
        for part, number in self.parts:
            paths = files_of(folder / part, self.suffixes)
            found |= {path.relative_to(folder).as_posix(): path for path in paths}
            if len(paths) < number:
                short.append(f"{len(paths):,} of {number:,} {self.things} in {part or self.folder}")
        return found, short


def _gone(path, error, place):
    return damaged(path, f"a file that cannot be read ({error.strerror})", "one that stays as it is", place.advice)


def files_of(folder: Path, suffixes: tuple[str, ...] | None = None) -> list[Path]:
    """Return the plain files below a folder in the order of their names; without `suffixes`, of every kind.

    What a system keeps for itself is none of them, nor what lies in such a folder.
    """
    paths = folder.rglob("*") if folder.is_dir() else ()
    files = (path for path in paths if path.is_file() and is_visible(path, below=folder))
    kept = (path for path in files if suffixes is None or path.suffix.lower() in suffixes)
    return sorted(kept, key=Path.as_posix)  # Windows would compare paths without regard to case


def digest(folder: Path, paths: Iterable[Path]) -> str:
    """Return the SHA-256 over the names and contents of files, whatever the folder is called."""
    total = hashlib.sha256()
    for path in paths:
        with open_plain(path) as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        name = os.fsencode(path.relative_to(folder).as_posix())  # a name may be any bytes, and no text
        total.update(f"{content} ".encode() + name + b"\n")
    return total.hexdigest()


def check_content(path: Path, advice: str) -> None:
    """Read one file to its end. Raise `DataError` for what is cut off or is something else."""
    kind = "recording" if path.suffix.lower() == ".wav" else "picture"
    try:
        with open_plain(path) as file:
            _listen(path, file, advice) if kind == "recording" else _decode(file)
    except DataError:
        raise
    except BROKEN as error:
        why = getattr(error, "strerror", None) or error or type(error).__name__
        raise damaged(path, f"a file that does not read ({why})", f"a {kind}", advice) from error


def _listen(path, file, advice):
    promised, came = sound_bytes(file, os.fstat(file.fileno()).st_size)
    if promised == 0:
        raise damaged(path, "a header and no sound", "a recording", advice)
    if came < promised:
        raise damaged(path, f"{came:,} bytes of sound", f"{promised:,}, as its header says", advice)


def _decode(file):
    """Decode a picture to its end, after the checksums of a format that has them: `load` does not ask for those.

    Only what the course has is opened: Pillow knows forty formats more, one of which is a program (PostScript).
    """
    from PIL import Image  # half the cost of importing this module, and only `verify` reads pictures

    if (size := os.fstat(file.fileno()).st_size) > MOST_BYTES:
        raise ValueError(f"{size:,} bytes, at most {MOST_BYTES:,} are read")
    try:
        for look in ("verify", "load"):
            file.seek(0)
            with Image.open(file, formats=FORMATS) as image:
                if image.width * image.height > MOST_PIXELS:
                    raise ValueError(f"{image.width:,} × {image.height:,} pixels, at most {MOST_PIXELS:,} are read")
                getattr(image, look)()
    except Image.DecompressionBombError as error:
        raise ValueError(str(error)) from None
