"""The data sets that are folders of many files: what must lie in them, and what tells a damaged file.

No hash is published for either archive. So a folder is judged by the number of its files, a file by whether it can
be read to its end; the SHA-256 of the copy that the course was written with is recorded here, and named as such.
"""

import hashlib
import wave
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from course_utils.data.archive import Archive
from course_utils.data.idx import DataError, damaged


@dataclass(frozen=True)
class FolderSpec:
    """One data set of files. `parts` and `sample`: (sub-folder, number of files with one of `suffixes`)."""

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

    def sizes(self, *, sample=False):
        """The number of files in words, such as `3,000 recordings`."""
        number = self.sample_total() if sample else self.total()
        return f"{number:,} {self.things}{self.sample_note if sample else ''}"

    def total(self):
        """The number of files of the full set."""
        return sum(number for _, number in self.parts)

    def sample_total(self):
        """The number of files of the embedded sample."""
        return sum(number for _, number in self.sample)

    def missing(self, folder):
        """The archives still to be fetched for a folder of the cache."""
        return () if self.whole(self.paths_in(folder, partial=True)) else self.files

    def whole(self, paths):
        """Whether the files found (None: none) are all of the full set."""
        return paths is not None and all(
            sum(name.startswith(part) for name in paths) >= number for part, number in self.parts
        )

    def paths_in(self, folder, *, partial=False):
        """{relative name: path} of the set's files in a folder, or None where there is none.

        More files than expected are no fault. Fewer raise `DataError`, unless `partial`.
        """
        found, short = {}, []
        for part, number in self.parts:
            paths = files_of(folder / part, self.suffixes)
            found |= {path.relative_to(folder).as_posix(): path for path in paths}
            if len(paths) < number:
                short.append(f"{len(paths):,} of {number:,} {self.things} in {part or self.folder}")
        if found and short and not partial:
            raise DataError(
                f"{folder} is incomplete: found {' and '.join(short)}; add what is missing, or take the rest away.",
                f"{self.folder} is incomplete",
            )
        return found or None


def files_of(folder, suffixes=None):
    """The plain files below a folder in the order of their names; without `suffixes`, of every kind."""
    paths = folder.rglob("*") if folder.is_dir() else ()
    kept = (path for path in paths if path.is_file() and (suffixes is None or path.suffix.lower() in suffixes))
    return sorted(kept, key=Path.as_posix)  # Windows would compare paths without regard to case


def digest(folder, paths):
    """SHA-256 over the names and contents of files, whatever the folder is called."""
    total = hashlib.sha256()
    for path in paths:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{content} {path.relative_to(folder).as_posix()}\n".encode())
    return total.hexdigest()


def check_sizes(place):
    """Refuse a file without a byte, which an interrupted copy leaves behind. Raises `DataError`."""
    for path in place.paths.values():
        if path.stat().st_size == 0:
            raise damaged(path, "an empty file", "a recording or a picture", place.advice)


def check_all(spec, place):
    """Read every file of a place to its end; returns what was checked, in words. Raises `DataError`."""
    check_sizes(place)
    for path in place.paths.values():
        check_content(path, place.advice)
    found = digest(place.folder, place.paths.values())
    if place.source == "sample" and found != spec.sample_sha256:
        raise damaged(place.folder, f"content with the SHA-256 {found}", spec.sample_sha256, place.advice)
    if found in (spec.sha256, spec.sample_sha256):
        return "every file was read to its end, and the content has the recorded SHA-256"
    return "every file was read to its end; no hash is published, and it is not the copy that the course knows"


def check_content(path, advice):
    """Read one file to its end. Raises `DataError` for what is cut off or is something else."""
    try:
        if path.suffix.lower() == ".wav":
            with wave.open(str(path)) as sound:
                promised = sound.getnframes() * sound.getnchannels() * sound.getsampwidth()
                came = len(sound.readframes(sound.getnframes()))
            if promised == 0:
                raise damaged(path, "a header and no sound", "a recording", advice)
            if came < promised:
                raise damaged(path, f"{came:,} bytes of sound", f"{promised:,}, as its header says", advice)
        else:
            with Image.open(path) as image:
                image.load()
    except (OSError, EOFError, wave.Error, SyntaxError) as error:  # SyntaxError: Pillow's word for a broken header
        kind = "recording" if path.suffix.lower() == ".wav" else "picture"
        raise damaged(path, f"a file that does not read ({error})", f"a {kind}", advice) from error


FOLDERS = {
    "free_spoken_digits": FolderSpec(
        name="free_spoken_digits",
        title="Free Spoken Digit Dataset",
        folder="free-spoken-digits",
        mirrors=("https://github.com/Jakobovski/free-spoken-digit-dataset/archive/refs/heads/",),
        files=(Archive("master.zip", inside="free-spoken-digit-dataset-master/recordings/", size=80_000_000),),
        things="recordings",
        suffixes=(".wav",),
        parts=(("", 3000),),
        sample=(("", 120),),
        sha256="44c8e2002eef7b944445e96603c78e68ce69f0a0156657cc7c92e6ed7828925f",
        sample_sha256="2327e63a35d0e3be6274195fe7cfe392ee78be9026e33bf88ce5ea3bd3d23615",
    ),
    "hymenoptera": FolderSpec(
        name="hymenoptera",
        title="Ants and bees",
        folder="hymenoptera_data",
        mirrors=("https://download.pytorch.org/tutorial/",),
        files=(Archive("hymenoptera_data.zip", inside="hymenoptera_data/", size=80_000_000),),
        things="pictures",
        suffixes=(".jpg", ".jpeg"),
        parts=(("train/ants", 123), ("train/bees", 121), ("val/ants", 70), ("val/bees", 83)),
        sample=(("train/ants", 12), ("train/bees", 12), ("val/ants", 6), ("val/bees", 6)),
        sha256="eb55ef7b49a419e9aacac7cd9fb77cdfe9c2d3d4853159708ec28d3dca58a4a7",
        sample_sha256="97d38d9f6ca6621fefc018f1a25b091e2303745f63b793abecd0b8a3412ab53f",
        sample_note=", drawn for the course, no photographs",
    ),
}
