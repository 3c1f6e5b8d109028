"""A power cut on paper: what a save asks of the file system is recorded, and every disk it can leave is built.

`recorded(folder)` notes each write, truncation, fsync, new name, rename and removal below a folder, as the save
that runs inside asks for them. `disks(...)` cuts that sequence after each of its steps and yields what a disk may
hold then, by three rules, from the kindest to the worst:

    in order    all that was asked for so far has happened
    a journal   names change in the order asked for, up to some point after the last fsync of anything, which puts
                all names before it on the disk; bytes without an fsync may be missing (ext4, XFS, APFS)
    POSIX       each name change without an fsync of its folder has happened or not, whatever the others did; bytes
                without an fsync may be missing, cut off, zeros, or there in any part

Names are kept by folder, not by path, so that a folder that is renamed or lost takes along what is in it.
"""

import builtins
import contextlib
import fcntl
import io
import itertools
import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

ROOT = 0  # the inode of the folder that is watched
RULES = ("in order", "a journal", "POSIX")
FULLFSYNC = getattr(fcntl, "F_FULLFSYNC", None)  # what macOS has for an fsync


@dataclass
class Recording:
    """What was there before, and the steps.

    `content`: the bytes of each inode that is a file. `names`: (folder's inode, name) -> inode.
    """

    folder: Path
    content: dict[int, bytes] = field(default_factory=dict)
    names: dict[tuple[int, str], int] = field(default_factory=dict)
    folders: set[int] = field(default_factory=lambda: {ROOT})
    steps: list[tuple] = field(default_factory=list)

    def mark(self, word: str) -> None:
        """Note that the save has come so far: disks after it have `word` among their marks."""
        self.steps.append(("mark", word))


@dataclass(frozen=True)
class Disk:
    """One state: `files` by path, `folders`, the marks passed before the cut, and how it came about."""

    files: dict[str, bytes]
    folders: frozenset[str]
    marks: frozenset[str]
    how: str

    def write(self, folder: Path) -> None:
        """Make `folder` hold this state and nothing else."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in sorted(self.folders):
            (folder / name).mkdir()
        for name, content in self.files.items():
            (folder / name).write_bytes(content)


class _Watch:
    """Stands in for what a save calls, and notes it."""

    def __init__(self, folder: Path) -> None:
        self.recording = Recording(folder.resolve())
        self.names, self.inodes = {}, itertools.count(1)
        self.fds: dict[int, int] = {}  # open file descriptor -> inode
        self.real = {name: getattr(os, name) for name in ("open", "close", "write", "fsync", "replace", "mkdir")}
        self.real_open, self.real_fcntl = io.open, fcntl.fcntl
        self._scan(self.recording.folder, ROOT)
        self.recording.names = dict(self.names)

    def _scan(self, folder, inode):
        for path in sorted(folder.iterdir()):
            new = self.names[inode, path.name] = next(self.inodes)
            if path.is_dir():
                self.recording.folders.add(new)
                self._scan(path, new)
            else:
                self.recording.content[new] = path.read_bytes()

    def place(self, path):
        """(folder's inode, name) of a path below the folder, None elsewhere; the folder itself has no name."""
        try:
            whole = Path(os.fspath(path)).absolute()
            parts = whole.relative_to(self.recording.folder).parts
        except (ValueError, TypeError):
            return None
        inode = ROOT
        for part in parts[:-1]:
            inode = self.names.get((inode, part))
            if inode is None:
                return None
        return (inode, parts[-1]) if parts else (None, "")

    def inode(self, path):
        place = self.place(path)
        return ROOT if place == (None, "") else self.names.get(place)

    def name(self, changes):
        """Note one change of names, which happens as a whole: {place: inode, or None for no such name}."""
        self.recording.steps.append(("name", changes))
        for place, inode in changes.items():
            self.names.pop(place, None)
            if inode is not None:
                self.names[place] = inode

    def opened(self, path, *, created, emptied):
        """The inode of a file that was just opened for writing."""
        if created:
            self.name({self.place(path): next(self.inodes)})
        inode = self.inode(path)
        if emptied and not created:
            self.recording.steps.append(("truncate", inode, 0))
        return inode

    def open(
        self, file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None
    ):
        writes = set(mode) & set("wax+")
        if isinstance(file, int) or not writes or self.place(file) is None:
            return self.real_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
        there = self.inode(file) is not None
        raw = _File(file, mode.replace("b", "").replace("t", ""), opener=opener)
        if opener is None:
            self.opened(file, created=not there, emptied="w" in mode)
        raw.watch, raw.inode = self, self.inode(file)  # an opener calls os.open, which has noted it
        self.fds[raw.fileno()] = raw.inode
        if buffering == 0:
            return raw
        buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding, errors, newline)

    def os_open(self, path, flags, mode=0o777, *, dir_fd=None):
        place = self.place(path) if dir_fd is None else None
        there = place is not None and self.inode(path) is not None
        handle = self.real["open"](path, flags, mode, dir_fd=dir_fd)
        if place is not None and not flags & getattr(os, "O_TMPFILE", 0) & ~os.O_DIRECTORY:
            if flags & os.O_CREAT and not there:
                self.opened(path, created=True, emptied=False)
            elif flags & os.O_TRUNC:
                self.opened(path, created=False, emptied=True)
            self.fds[handle] = self.inode(path)
        return handle

    def os_close(self, handle):
        self.fds.pop(handle, None)
        self.real["close"](handle)

    def os_write(self, handle, data):
        if handle in self.fds:
            self.wrote(self.fds[handle], os.lseek(handle, 0, os.SEEK_CUR), data)
        return self.real["write"](handle, data)

    def wrote(self, inode, offset, data):
        self.recording.steps.append(("write", inode, offset, bytes(data)))

    def fsync(self, handle):
        handle = handle if isinstance(handle, int) else handle.fileno()
        self.real["fsync"](handle)
        if (inode := self.fds.get(handle)) is not None:
            self.recording.steps.append(("fsync", inode))

    def fcntl(self, handle, command, *more):
        if FULLFSYNC is not None and command == FULLFSYNC:
            return self.fsync(handle)
        return self.real_fcntl(handle, command, *more)

    def replace(self, source, target, **more):
        self.real["replace"](source, target, **more)
        if (old := self.place(source)) is not None:
            inode, new = self.names[old], self.place(target)
            self.name({old: None} | ({new: inode} if new is not None else {}))

    def removing(self, real):
        """What stands in for unlink, or for rmdir."""

        def remove(path, **more):
            real(path, **more)
            if (place := self.place(path)) is not None and not more.get("dir_fd"):
                self.name({place: None})

        return remove

    def mkdir(self, path, *mode, **more):
        self.real["mkdir"](path, *mode, **more)
        if (place := self.place(path)) is not None:
            inode = next(self.inodes)
            self.recording.folders.add(inode)
            self.name({place: inode})


class _File(io.FileIO):
    """A file whose writes are noted as the system gets them, after Python has gathered them."""

    def write(self, data):
        data = bytes(data)
        offset = os.lseek(self.fileno(), 0, os.SEEK_CUR)
        written = super().write(data)
        self.watch.wrote(self.inode, offset, data[:written])
        return written

    def truncate(self, size=None):
        size = self.tell() if size is None else size
        super().truncate(size)
        self.watch.recording.steps.append(("truncate", self.inode, size))
        return size

    def close(self):
        if not self.closed:
            self.watch.fds.pop(self.fileno(), None)
        super().close()


@contextlib.contextmanager
def recorded(folder: Path) -> Iterator[Recording]:
    """Note what is asked of the file system below `folder`; AssertionError for a save that it cannot follow."""
    watch = _Watch(folder)
    changed = {"open": watch.os_open, "close": watch.os_close, "write": watch.os_write, "fsync": watch.fsync}
    changed |= {"replace": watch.replace, "rename": watch.replace, "mkdir": watch.mkdir, "fdatasync": watch.fsync}
    changed |= {name: watch.removing(getattr(os, name)) for name in ("unlink", "remove", "rmdir")}
    changed["sync"] = lambda: watch.recording.steps.append(("sync",))
    with contextlib.ExitStack() as stack:
        for name, function in changed.items():
            stack.enter_context(mock.patch.object(os, name, function))
        stack.enter_context(mock.patch.object(io, "open", watch.open))
        stack.enter_context(mock.patch.object(builtins, "open", watch.open))
        stack.enter_context(mock.patch.object(fcntl, "fcntl", watch.fcntl))
        yield watch.recording
    *_, last = disks(watch.recording, rules=("in order",))
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    there = {name: path.read_bytes() for name, path in found.items() if path.is_file()}
    assert last.files == there, "something was written in a way that this recorder does not see"
    assert last.folders == {name for name, path in found.items() if path.is_dir()}


class _Model:
    """What is on the disk for certain, and what was asked for since."""

    def __init__(self, recording: Recording, rule: str) -> None:
        self.rule, self.folders = rule, recording.folders
        self.content, self.names = dict(recording.content), dict(recording.names)
        self.bytes_waiting: dict[int, list[tuple]] = {}  # by inode, in order
        self.names_waiting: list[dict] = []
        self.marks: list[str] = []

    def take(self, step: tuple) -> None:
        kind, *facts = step
        if kind == "mark":
            self.marks += facts
        elif kind == "name":
            self.names_waiting.append(facts[0])
        elif kind in ("write", "truncate"):
            self.bytes_waiting.setdefault(facts[0], []).append((kind, *facts[1:]))
        elif kind == "sync":
            for inode in list(self.bytes_waiting):
                self._settle_bytes(inode)
            self._settle_names(None)
        elif kind == "fsync":
            self._settle_bytes(facts[0])
            if self.rule == "a journal":
                self._settle_names(None)
            elif facts[0] in self.folders:
                self._settle_names(facts[0])

    def _settle_bytes(self, inode):
        if waiting := self.bytes_waiting.pop(inode, None):
            self.content[inode] = _applied(self.content.get(inode, b""), waiting)

    def _settle_names(self, folder):
        """Put name changes on the disk: those of one folder, or all."""
        rest = []
        for change in self.names_waiting:
            settled = {place: inode for place, inode in change.items() if folder in (None, place[0])}
            _rename(self.names, settled)
            rest.append({place: inode for place, inode in change.items() if place not in settled})
        self.names_waiting = [change for change in rest if change]

    def possible_names(self, rng: random.Random, most: int) -> list[tuple[str, dict]]:
        count = len(self.names_waiting)
        if self.rule == "in order":
            chosen = [range(count)]
        elif self.rule == "a journal":
            chosen = [range(upto) for upto in range(count + 1)]
        elif 2**count <= most:
            chosen = [some for size in range(count + 1) for some in itertools.combinations(range(count), size)]
        else:
            chosen = [(), range(count), *((one,) for one in range(count))]
            chosen += [[one for one in range(count) if one != left] for left in range(count)]
            while len(chosen) < most:
                chosen.append([one for one in range(count) if rng.random() < 0.5])
            chosen = chosen[:most]
        found = []
        for some in chosen:
            names = dict(self.names)
            for index in some:
                _rename(names, self.names_waiting[index])
            found.append((f"{len(some)} of {count} name changes", names))
        return found

    def possible_bytes(self, inode: int, rng: random.Random, most: int) -> list[tuple[str, bytes]]:
        sure, waiting = self.content.get(inode, b""), self.bytes_waiting.get(inode, [])
        if not waiting or self.rule == "in order":
            return [("all bytes", _applied(sure, waiting))]
        zeros = [_zeros(step) for step in waiting]
        found = {
            _applied(sure, waiting): "all bytes",
            sure: "none of the new bytes",
            _applied(sure, zeros): "zeros for new bytes",
        }
        for _ in range(max(1, most // 4)):
            upto = rng.randrange(len(waiting))
            torn = [*waiting[:upto], _part(waiting[upto], rng)]
            some = [one for one in waiting if rng.random() < 0.5]
            found.setdefault(_applied(sure, torn), f"{upto} and a part of {len(waiting)} writes")
            found.setdefault(_applied(sure, some), f"{len(some)} of {len(waiting)} writes")
        return [(words, content) for content, words in found.items()]


def _rename(names, change):
    for place, inode in change.items():
        names.pop(place, None)
        if inode is not None:
            names[place] = inode


def _zeros(step):
    kind, where, *data = step
    return (kind, where, bytes(len(data[0]))) if kind == "write" else step


def _part(step, rng):
    kind, *facts = step
    return (kind, facts[0], facts[1][: rng.randrange(1 + len(facts[1]))]) if kind == "write" else step


def _applied(content, steps):
    content = bytearray(content)
    for kind, where, *data in steps:
        if kind == "truncate":
            content = content[:where] + bytes(max(0, where - len(content)))
            continue
        content += bytes(max(0, where - len(content)))
        content[where : where + len(data[0])] = data[0]
    return bytes(content)


def _tree(names, content_of, all_folders):
    files, folders, waiting = {}, set(), [(ROOT, "")]
    while waiting:
        folder, above = waiting.pop()
        for (parent, name), inode in names.items():
            if parent == folder:
                path = f"{above}{name}"
                if inode in all_folders:
                    folders.add(path)
                    waiting.append((inode, f"{path}/"))
                else:
                    files[path] = content_of.get(inode, b"")
    return files, frozenset(folders)


def disks(
    recording: Recording, *, rules: tuple[str, ...] = RULES, most: int = 12, seed: int = 18
) -> Iterator[Disk]:
    """Yield every different disk that a power cut can leave, after each step; at most `most` per step and rule."""
    seen = set()
    for rule in rules:
        rng, model = random.Random(seed), _Model(recording, rule)
        for count in range(len(recording.steps) + 1):
            if count:
                model.take(recording.steps[count - 1])
            for disk in _of(model, rng, most, f"{rule}, step {count} of {len(recording.steps)}"):
                key = (frozenset(disk.files.items()), disk.folders, disk.marks)
                if key not in seen:
                    seen.add(key)
                    yield disk


def _of(model, rng, most, where):
    """The disks of one step under one rule."""
    found = []
    for words, names in model.possible_names(rng, most):
        open_ones = [inode for inode in sorted(set(names.values())) if model.bytes_waiting.get(inode)]
        choices = [model.possible_bytes(inode, rng, most) for inode in open_ones]
        for chosen in itertools.islice(itertools.product(*choices), 4 * most):
            content = model.content | {inode: data for inode, (_, data) in zip(open_ones, chosen, strict=True)}
            how = ", ".join([where, words, *(said for said, _ in chosen)])
            found.append((names, content, how))
    if len(found) > most:
        found = [found[0], found[-1], *rng.sample(found[1:-1], most - 2)]
    for names, content, how in found:
        files, folders = _tree(names, content, model.folders)
        yield Disk(files, folders, frozenset(model.marks), how)
