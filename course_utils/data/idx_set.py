"""The data sets of IDX files: grey pictures of 28 × 28 with their classes, in two splits.

No torch here: processes that only download stay light. `FolderSet` is the other kind, with the same methods.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from course_utils.data import idx
from course_utils.data.errors import DataError, damaged
from course_utils.data.idx import IdxFile
from course_utils.data.place import Place

SPLITS = ("train", "test")
NAMES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


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
            idx.check_start(place.paths[file.name], file, advice=place.advice, member=_member(place, file))
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
        buffer, verified = idx.read(path, file, advice=place.advice, member=_member(place, file))
        if len(file.shape) == 1 and (top := max(buffer[len(file.header) :])) >= len(self.classes):
            raise damaged(path, f"the class {top}", f"classes 0 to {len(self.classes) - 1}", place.advice)
        return buffer, verified

    def _found(self, folder: Path) -> dict[str, Path]:
        found = {}
        for file in self.files:
            for path in (folder / file.name, folder / file.packed_name):
                if _is_there(path):
                    found[file.name] = path
                    break
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
