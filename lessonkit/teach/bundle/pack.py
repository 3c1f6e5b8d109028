"""The two shapes of a bundle, written in the same way: one zip file, or a folder."""

import hashlib
import os
import shutil
import zipfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from lessonkit.system.atomic import atomic_write, sync_folder
from lessonkit.teach.bundle.starters import EXECUTABLE

TOP = "pytorch-course"  # the one folder in the archive; short, as Windows counts the characters of a path
_PACKED = (".whl", ".gz", ".zip", ".png", ".pt")  # packing them again gains nothing
_CHUNK = 1 << 20


class Zip:
    """One archive, which gets its name when it is whole; above 4 GiB it is a Zip64, as systems of today read."""

    def __init__(self, to: Path, parts: Path) -> None:
        self.to = to
        self.stack = ExitStack()

    def __enter__(self) -> "Zip":
        self.file = self.stack.enter_context(atomic_write(self.to))
        self.zip = self.stack.enter_context(zipfile.ZipFile(self.file, "w"))
        return self

    def __exit__(self, *error: object) -> bool | None:
        return self.stack.__exit__(*error)

    def add(self, name: str, source: Path, tell: Callable[[int], object]) -> dict[str, Any]:
        """Add a file; return its size and SHA-256. `tell` hears of bytes as they are written."""
        info = zipfile.ZipInfo.from_file(source, f"{TOP}/{name}", strict_timestamps=False)
        info.external_attr = (0o100755 if name.endswith(EXECUTABLE) else 0o100644) << 16
        info.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED
        with source.open("rb") as file, self.zip.open(info, "w", force_zip64=info.file_size > 1 << 30) as member:
            return _copied(file, member, tell)

    def finish(self, name: str, content: bytes) -> None:
        """Add the manifest, which ends the bundle."""
        info = zipfile.ZipInfo(f"{TOP}/{name}")
        info.external_attr = 0o100644 << 16
        self.zip.writestr(info, content, zipfile.ZIP_DEFLATED)


class Folder:
    """A folder, for a stick that takes no large file: made where the parts lie, renamed when it is whole."""

    def __init__(self, to: Path, parts: Path) -> None:
        self.to, self.parts = to, parts

    def __enter__(self) -> "Folder":
        shutil.rmtree(self.parts / "course", ignore_errors=True)  # of a run that was broken off
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def add(self, name: str, source: Path, tell: Callable[[int], object]) -> dict[str, Any]:
        """Copy a file to its place, unless it lies there; return its size and SHA-256."""
        target = self.parts.joinpath(*name.split("/"))
        with source.open("rb") as file:
            if target == source:
                return _copied(file, None, tell)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as copy:
                return _copied(file, copy, tell)

    def finish(self, name: str, content: bytes) -> None:
        """Write the manifest, put all on the disk, and give the folder its name."""
        (self.parts / name).write_bytes(content)
        if self.to.is_dir():
            self.to.rmdir()  # empty: another one was refused
        if hasattr(os, "sync"):
            os.sync()  # a stick is pulled out soon
        self.parts.replace(self.to)
        sync_folder(self.to.parent)


def _copied(file, target, tell):
    total, size = hashlib.sha256(), 0
    while chunk := file.read(_CHUNK):
        total.update(chunk)
        size += len(chunk)
        if target is not None:
            target.write(chunk)
        tell(len(chunk))
    return {"size": size, "sha256": total.hexdigest()}
