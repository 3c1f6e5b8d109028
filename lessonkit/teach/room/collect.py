"""Copy what a class has handed in, in folders or archives, into one folder for each learner."""

import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from lessonkit.notebook.catalog import Chapter
from lessonkit.system.atomic import atomic_write, make_folder
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import open_plain
from lessonkit.teach.room import unpack
from lessonkit.teach.room.handed_in import Place, hidden, place_of

_DEEP = 2  # archives within archives


@dataclass
class Collected:
    """What came of it: files written, files that were there already, and a sentence for all that was not taken."""

    written: list[Path] = field(default_factory=list)
    there: int = 0
    refused: list[str] = field(default_factory=list)


@dataclass
class _Left:
    """How many bytes may still come out of an archive and of those in it."""

    bytes: int = unpack.MOST_BYTES


def collect(source: Path, to: Path, chapters: Sequence[Chapter]) -> Collected:
    """Put the notebooks of a folder or an archive into `to/LEARNER/CHAPTER.ipynb`; return what came of it.

    Nothing is overwritten: another file of the same name gets `-2`, the same bytes again are passed over. Raises
    `Refused` where the source is neither folder nor archive, or lies in `to`; OSError where the disk is full: the
    same again takes what is missing.
    """
    inside, target = source.resolve(), to.resolve()
    if inside.is_relative_to(target) or target.is_relative_to(inside):
        raise Refused(f"{to} and {source} lie in one another; give another --to")
    done = Collected()
    if source.is_dir():
        _from_folder(source, to, chapters, done)
    elif source.is_file():
        _from_archive(source, PurePosixPath(), to, chapters, done, _Left(), depth=0)
    else:
        raise Refused(f"{source} is neither a folder nor an archive")
    return done


def _from_folder(source, to, chapters, done):
    for path in sorted(source.rglob("*")):
        inside = PurePosixPath(path.relative_to(source).as_posix())
        if any(hidden(part) for part in inside.parts):
            continue
        if path.is_symlink():
            done.refused.append(f"{inside}: a link, which is not followed")
        elif path.is_file() and path.suffix == ".ipynb":
            _take(place_of(inside, chapters), path, inside, to, done)
        elif path.is_file() and unpack.is_archive(path.name):
            _from_archive(path, inside, to, chapters, done, _Left(), depth=0)


def _from_archive(archive, inside, to, chapters, done, left, *, depth):
    """Take the notebooks out of an archive; `inside`: its own path in what was handed in, empty for the whole."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = _unpacked(archive, Path(folder), left)
        except unpack.Unsafe as error:
            done.refused.append(f"{inside if inside.parts else archive.name}: {error}; nothing of it is taken")
            return
        wrapper = _wrapper(archive if not inside.parts else Path(inside.name), [path for path, _ in found])
        for inner, file in found:
            # An archive of one learner's lies in their folder, or bears their name as a file would.
            path = _within(inside, inner.relative_to(wrapper))
            if not unpack.is_archive(inner.name):
                _take(place_of(path, chapters), file, path, to, done)
            elif depth + 1 >= _DEEP:
                done.refused.append(f"{path}: an archive in an archive in an archive")
            else:
                _from_archive(file, path, to, chapters, done, left, depth=depth + 1)


def _unpacked(archive: Path, folder: Path, left: _Left) -> list[tuple[PurePosixPath, Path]]:
    """Write the members of an archive into `folder`, under numbers; return where each lay, and where it lies."""
    found = []
    for number, member in enumerate(unpack.members(archive, most=left.bytes)):
        left.bytes -= member.size
        with (folder / str(number)).open("wb") as file:
            file.writelines(member.pieces)
        found.append((member.path, folder / str(number)))
    return found


def _wrapper(archive: Path, found: Sequence[PurePosixPath]) -> PurePosixPath:
    """Return the folder that all members lie in where it is called as the archive is: no learner's name."""
    tops = {path.parts[0] for path in found}
    if len(tops) == 1 and all(len(path.parts) > 1 for path in found):
        top = tops.pop()
        if top == archive.name.split(".")[0]:
            return PurePosixPath(top)
    return PurePosixPath()


def _within(archive: PurePosixPath, member: PurePosixPath) -> PurePosixPath:
    """Return the path that says whose a member is: below the archive's own folder, or below the archive's name."""
    if not archive.parts:
        return member
    if len(archive.parts) > 1:
        return archive.parent / member
    return PurePosixPath(archive.name.split(".")[0]) / member


def _take(place: Place, source: Path, inside: PurePosixPath, to: Path, done: Collected) -> None:
    """Copy the file `source`, which lay at `inside` in what was handed in, to its place."""
    try:
        data = open_plain(source)
    except OSError as error:  # it was taken away, or is no plain file any more
        done.refused.append(f"{inside}: it cannot be read ({error.strerror}); hand it in again")
        return
    with data:
        if data.seek(0, 2) > unpack.LARGEST:
            done.refused.append(f"{inside}: larger than {unpack.LARGEST // 2**20} MB")
            return
        folder, number = to / place.learner, 1
        make_folder(folder)
        wanted = _digest(data)
        while (path := folder / f"{place.name}{f'-{number}' if number > 1 else ''}.ipynb").exists():
            with open_plain(path) as before:
                same = _digest(before) == wanted
            if same:
                done.there += 1
                return
            number += 1
        data.seek(0)
        with atomic_write(path) as file:
            shutil.copyfileobj(data, file)
    done.written.append(path)


def _digest(file):
    file.seek(0)
    return hashlib.file_digest(file, "sha256").digest()
