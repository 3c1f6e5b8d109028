"""Data sets that are one text in a few files, all of them in the repository, so that nothing is downloaded.

The files are a training part, a held-out part, and the paragraphs that were cut from the training part because the
held-out one has them too. `registry.DataSet` says which methods the three kinds of sets share.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from course_utils.data.archive import Archive
from course_utils.data.errors import DataError, damaged
from course_utils.data.place import Place
from lessonkit.system.plain_file import read_plain

PARTS = ("train", "held_out", "repeated")


@dataclass(frozen=True)
class Text:
    """A text: its parts, and the `sentence` printed.

    No line of `held_out` with 20 letters or more stands in `train`; `repeated` holds the paragraphs where one did.
    """

    train: str
    held_out: str
    repeated: str
    sentence: str


@dataclass(frozen=True)
class TextSet:
    """One text. `letters`: how many each of PARTS has; `sha256`: over all files, as FolderSet's."""

    call: ClassVar[str] = "text"  # the function of course_utils.datasets that gives such a set
    mirrors: ClassVar[tuple[str, ...]] = ()
    files: ClassVar[tuple[Archive, ...]] = ()
    sample: ClassVar[None] = None  # what is embedded is all of it

    name: str
    title: str
    folder: str
    letters: tuple[int, int, int]
    sha256: str

    def sizes(self, source: str = "full") -> str:
        """Return the sizes of the parts in words, such as `400,000 letters for training and 40,000 held out`."""
        train, held_out, repeated = self.letters
        return f"{train:,} letters for training, {held_out:,} held out, {repeated:,} that repeat those"

    def total(self, source: str = "full") -> int:
        """Return the number of letters."""
        return sum(self.letters)

    def missing(self, folder: Path) -> tuple[Archive, ...]:
        """Return the archives still to be fetched for a folder of the cache: none are, and none lies there."""
        return ()

    def paths_in(self, folder: Path) -> dict[str, Path] | None:
        """Return None: outside the repository nobody keeps this text."""
        return None

    def embedded(self, samples: Path) -> Place:
        """Return the text below the folder `samples`. Raise `DataError` where a file of it is missing."""
        folder = samples / self.folder
        paths = {f"{part}.txt": folder / f"{part}.txt" for part in PARTS}
        advice = f"run `git checkout -- data/samples/{self.folder}`"
        if lost := [name for name, path in paths.items() if not path.is_file()]:
            raise DataError(f"{folder} is incomplete: {' and '.join(lost)} cannot be found; {advice}.")
        return Place("the repository", "full", folder, paths, advice)

    def check_start(self, place: Place) -> str:
        """Compare each file's size with the least it can have; return what was checked, in words.

        Raise `DataError`.
        """
        for path, letters in zip(place.paths.values(), self.letters, strict=True):
            try:
                size = path.stat().st_size
            except OSError as error:
                raise _unreadable(path, error, place) from error
            if size < letters:
                raise damaged(path, f"{size:,} bytes", f"{letters:,} letters", place.advice)
        return "only the files' sizes were looked at"

    def verify(self, place: Place) -> str:
        """Read every file to its end; return what is whole and what was checked, in words. Raise `DataError`."""
        return f"all {len(place.paths)} files of {place.name} are whole; {self.read(place)[1]}"

    def read(self, place: Place) -> tuple[list[str], str]:
        """Return the parts' texts, and what was checked, in words. Raise `DataError`."""
        contents = contents_of(place)
        if (found := _digest(place, contents)) != self.sha256:
            raise damaged(place.root, f"content with the SHA-256 {found}", self.sha256, place.advice)
        return [content.decode() for content in contents], "the content has the recorded SHA-256"


def contents_of(place: Place) -> list[bytes]:
    """Return the bytes of each file, with the repository's line ends, whatever git made of them.

    Raise `DataError` for a file that cannot be read.
    """
    contents = []
    for path in place.paths.values():
        try:
            contents.append(read_plain(path).replace(b"\r\n", b"\n"))
        except OSError as error:
            raise _unreadable(path, error, place) from error
    return contents


def _unreadable(path, error, place):
    return damaged(path, f"a file that cannot be read ({error.strerror})", "a text file", place.advice)


def digest(place: Place) -> str:
    """Return the SHA-256 over the names and contents of the files. Raise `DataError`."""
    return _digest(place, contents_of(place))


def _digest(place, contents):
    total = hashlib.sha256()
    for name, content in zip(place.paths, contents, strict=True):
        total.update(f"{hashlib.sha256(content).hexdigest()} {name}\n".encode())
    return total.hexdigest()
