"""Check a data set that comes as one zip file, and unpack it safely."""

import os
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from course_utils.data.errors import damaged
from course_utils.data.idx import BROKEN
from lessonkit.system import atomic
from lessonkit.system.hidden import is_hidden
from lessonkit.system.plain_file import open_plain

LONGEST = 200  # bytes of a name, with its folders: some systems take 260 for the whole path


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
            with open_plain(part) as file, zipfile.ZipFile(file) as archive:
                entries = self._entries(archive)
                unpacked = sum(entry.file_size for entry in archive.infolist())
                if not entries:
                    return f"found no file in {self.inside} of {self.packed_name}, expected the data set"
                if both := {str(above) for name in entries for above in PurePosixPath(name).parents} & set(entries):
                    return f"found {min(both)} as a file and as a folder, expected one of them"
                if unpacked > 4 * self.size:
                    return f"found {unpacked:,} bytes packed in it, expected at most {4 * self.size:,}"
                if (broken := archive.testzip()) is not None:
                    return f"found a damaged {broken} in it, expected every file whole"
        except (*BROKEN, OSError, EOFError, RuntimeError, ValueError) as error:
            return f"found a file that does not unpack ({error}), expected the zip {self.packed_name}"
        return None

    def settle(self, folder: Path) -> None:
        """Unpack the zip that lies in `folder` there, and take it away. A file gets its name when it is whole.

        All are on the disk before the first gets its name. Raises `DataError` for a zip that `refusal` would
        refuse, OSError where the disk fails; what it has unpacked is then taken away.
        """
        path, parts = Path(folder) / self.packed_name, {}
        try:
            with open_plain(path) as file, zipfile.ZipFile(file) as archive:
                for name, entry in self._entries(archive).items():
                    target = Path(folder) / name
                    atomic.make_folder(target.parent)
                    parts[target] = target.with_name(f"{target.name}.part")
                    with archive.open(entry) as packed, parts[target].open("wb") as unpacked:
                        shutil.copyfileobj(packed, unpacked)
            for part in parts.values():  # one after the other would make the disk seek for each
                atomic.sync(part)
        except BaseException as error:
            for part in parts.values():
                part.unlink(missing_ok=True)
            if isinstance(error, (*BROKEN, EOFError, RuntimeError, ValueError)):  # it was whole a moment ago
                found = f"a file that does not unpack any more ({error})"
                raise damaged(path, found, "the zip that was judged", "delete it and get the set again") from error
            raise
        for target, part in parts.items():
            part.replace(target)
        for folder in {target.parent for target in parts}:
            atomic.sync_folder(folder)
        path.unlink()

    def _entries(self, archive):
        """{name below `inside`: entry} of the plain files; hidden ones, and names that lead elsewhere, are left."""
        found = {}
        for entry in archive.infolist():
            name = PurePosixPath(entry.filename.removeprefix(self.inside))
            odd = name.is_absolute() or any(is_hidden(part) or ":" in part for part in name.parts)
            odd = odd or not name.parts or len(os.fsencode(name)) > LONGEST
            # Python 3.11's `is_dir` raises for an entry without a name: asked last.
            if entry.filename.startswith(self.inside) and not odd and not entry.is_dir():
                found[name.as_posix()] = entry
        return found
