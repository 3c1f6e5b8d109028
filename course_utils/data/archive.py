"""A data set that comes as one zip: what makes it good, and unpacking it safely."""

import shutil
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath


@dataclass(frozen=True)
class Archive:
    """A zip to download: its name, the folder `inside` it that is wanted, and the most bytes it may have.

    Neither of the course's archives has a published hash: GitHub packs its own anew whenever it likes, and the
    other never had one. A download is judged by the checksum that the zip holds for each file, then by the count.
    """

    packed_name: str
    inside: str
    size: int

    def refusal(self, part: Path) -> str | None:
        """Return why a downloaded zip is not what was wanted, or None."""
        try:
            with zipfile.ZipFile(part) as archive:
                entries = self._entries(archive)
                unpacked = sum(entry.file_size for entry in entries.values())
                if not entries:
                    return f"found no file in {self.inside} of {self.packed_name}, expected the data set"
                if unpacked > 4 * self.size:
                    return f"found {unpacked:,} bytes packed in it, expected at most {4 * self.size:,}"
                if (broken := archive.testzip()) is not None:
                    return f"found a damaged {broken} in it, expected every file whole"
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            return f"found a file that does not unpack ({error}), expected the zip {self.packed_name}"
        return None

    def settle(self, folder: Path) -> None:
        """Unpack the zip that lies in `folder` there, and take it away. A file gets its name when it is whole."""
        path = Path(folder) / self.packed_name
        with zipfile.ZipFile(path) as archive:
            for name, entry in self._entries(archive).items():
                target = Path(folder) / name
                target.parent.mkdir(parents=True, exist_ok=True)
                part = target.with_name(f"{target.name}.part")
                with archive.open(entry) as packed, part.open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked)
                part.replace(target)
        path.unlink()

    def _entries(self, archive):
        """{name below `inside`: entry} of the plain files; hidden ones, and names that lead elsewhere, are left."""
        found = {}
        for entry in archive.infolist():
            name = PurePosixPath(entry.filename.removeprefix(self.inside))
            odd = name.is_absolute() or any(part.startswith(".") or ":" in part for part in name.parts)
            if entry.filename.startswith(self.inside) and not entry.is_dir() and not odd:
                found[name.as_posix()] = entry
        return found
