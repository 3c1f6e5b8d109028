"""List everything that was handed in, in folders and archives and archives in them, before anything is taken."""

import tempfile
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from lessonkit.system.hidden import is_hidden
from lessonkit.teach.room import unpack
from lessonkit.teach.room.file_types import is_notebook, may_be_notebook

_DEEP = 2  # archives within archives
_READ = {"submission_metadata.yml", "submission_metadata.yaml"}  # Gradescope's, which names its numbers
_EARLIEST = 1990  # a file's year that is a date, and not what a program writes for none


@dataclass(frozen=True)
class Found:
    """One file that was handed in, or an empty folder. `path`: where it lay, an archive being a folder on the way.

    `file`: where its bytes are now, None for what is not read; `refused`: why nothing of it can be taken.
    """

    path: PurePosixPath
    file: Path | None = None
    modified: str = ""
    refused: str = ""
    folder: bool = False
    archives: int = 0  # how many on the way
    guessed: bool = False  # its name, of which the encoding is not known


@dataclass
class Gathered:
    """All that was found, and how many files of systems are nobody's."""

    found: list[Found] = field(default_factory=list)
    rubbish: Counter[str] = field(default_factory=Counter)
    metadata: list[bytes] = field(default_factory=list)  # of Gradescope


@dataclass
class _Left:
    """How many bytes may still come out of an archive and of those in it."""

    bytes: int = unpack.MOST_BYTES


def gather(source: Path, stack: ExitStack) -> Gathered:
    """Return what a folder or an archive holds; archives are unpacked into folders that end with `stack`."""
    done = Gathered()
    if source.is_dir():
        _folder(source, stack, done)
    else:
        _archive(source, PurePosixPath(), stack, done, _Left(), depth=0)
    return done


def _folder(source: Path, stack: ExitStack, done: Gathered) -> None:
    for path in sorted(source.rglob("*")):  # which follows no links to folders
        inside = PurePosixPath(path.relative_to(source).as_posix())
        if _nobodys(source, inside, done):
            continue
        if path.is_symlink():
            done.found.append(Found(inside, refused="it is a link, which is not followed"))
        elif path.is_dir():
            if not any(not is_hidden(one.name) for one in path.iterdir()):
                done.found.append(Found(inside, folder=True))
        elif path.is_file() and unpack.is_archive(path.name):
            _archive(path, inside, stack, done, _Left(), depth=0)
        elif path.is_file():
            if path.name.lower() in _READ and path.stat().st_size < 1 << 22:
                done.metadata.append(path.read_bytes())
            changed = datetime.fromtimestamp(path.stat().st_mtime)
            modified = f"{changed:%Y-%m-%d %H:%M:%S}" if changed.year > _EARLIEST else ""
            done.found.append(Found(inside, path, modified))
        else:
            done.found.append(Found(inside, refused="it is a device, a pipe or a socket"))


def _nobodys(source: Path, path: PurePosixPath, done: Gathered) -> bool:
    """Count what is a system's; return whether it is."""
    part = next(filter(is_hidden, path.parts), None)
    if part and (source / path).is_file():
        done.rubbish[part] += 1
    return part is not None


def _archive(
    archive: Path, inside: PurePosixPath, stack: ExitStack, done: Gathered, left: _Left, *, depth: int
) -> None:
    """List an archive; `inside`: its own path in what was handed in, empty for the whole."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    found, folders, rubbish = [], [], []
    try:
        for number, member in enumerate(unpack.members(archive, most=left.bytes)):
            path = inside / member.path
            if any(map(is_hidden, member.path.parts)):
                rubbish.append(path)
                continue
            if member.folder:
                folders.append(path)
                continue
            file = None
            if _is_read(member.path):
                left.bytes -= member.size
                file = folder / str(number)
                with file.open("wb") as out:
                    out.writelines(member.pieces)
            found.append(Found(path, file, member.modified, archives=depth + 1, guessed=member.guessed))
    except unpack.Unsafe as error:
        where = inside if inside.parts else PurePosixPath(archive.name)
        done.found.append(Found(where, refused=f"{error}; nothing of it is taken", archives=depth))
        return
    for path in rubbish:
        done.rubbish[next(filter(is_hidden, path.parts))] += 1
    full = {parent for one in found for parent in one.path.parents}
    above = {parent for one in folders for parent in one.parents}
    done.found += [Found(one, folder=True) for one in folders if one not in full and one not in above]
    if inside.parts and not found and not folders:
        done.found.append(Found(inside, refused="it is an archive without a file in it", archives=depth))
    for one in found:
        if not unpack.is_archive(one.path.name):
            if one.file is not None and one.path.name.lower() in _READ:
                done.metadata.append(one.file.read_bytes())
            done.found.append(one)
        elif depth + 1 >= _DEEP:
            done.found.append(Found(one.path, refused="it is an archive in an archive in an archive"))
        else:
            _archive(one.file, one.path, stack, done, left, depth=depth + 1)


def _is_read(path: PurePosixPath) -> bool:
    name = path.name
    return is_notebook(name) or may_be_notebook(name) or unpack.is_archive(name) or name.lower() in _READ
