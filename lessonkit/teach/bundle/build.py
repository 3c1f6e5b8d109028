"""A bundle planned and made: what it will hold is said first, and it gets its name when it is complete."""

import errno
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from lessonkit.notebook.catalog import Chapter
from lessonkit.system import atomic, disk
from lessonkit.system.errors import Refused
from lessonkit.system.place import PROJECT
from lessonkit.teach.bundle import contents, integrity, starters, wheels
from lessonkit.teach.bundle.targets import FOLDER, Target
from lessonkit.teach.room.release import commit

LOCK = "lock"  # in the parts, of the process that works on them
FAT32 = 2**32 - 1  # bytes of the largest file there
_PACKED = (".whl", ".gz", ".zip", ".png", ".pt")  # packing them again gains nothing


@dataclass
class Plan:
    """A bundle before it is made: where to, for which machines, and all that goes into it."""

    to: Path
    torch: str
    chapters: tuple[str, ...]
    packages: dict[Target, list[wheels.Package]]
    course: dict[str, Path]
    data: list[contents.Data]
    left: Sequence[str] = ()  # files of the course that git does not track

    def __post_init__(self) -> None:
        self.archive = self.to.suffix.lower() == ".zip"  # else it becomes a folder
        self.parts = parts_of(self.to)  # what is made of it, until it is complete
        self.root = self.parts / FOLDER
        every = {one.file: one for some in self.packages.values() for one in some}  # each once, for several targets
        missing = [one for one in every.values() if not (self.root / "wheels" / one.file).exists()]
        self.to_fetch = _size(missing) + sum(one.to_fetch for one in self.data)
        own = sum(path.stat().st_size for path in self.course.values()) + sum(one.size for one in self.data)
        self.total = own + _size(every.values())
        twice = max((_size(group) for group in wheels.groups(missing)), default=0)  # pip's copy on the way
        self.needed = _size(missing) + own + max(twice, self.total if self.archive else 0)

    def check_disk(self) -> None:
        """Raise `Refused` where the disk has too little room, as far as sizes are known."""
        folder = next(one for one in self.to.parents if one.is_dir())
        free = shutil.disk_usage(folder).free
        if free < self.needed:
            way = "" if not self.archive else "; a --to without .zip makes a folder, which takes half"
            raise Refused(f"{folder} has {mega(free)} free, and this takes {mega(self.needed)}{way}")

    def tell(self) -> Iterator[str]:
        """Yield what will be fetched and how large it is, as lines."""
        for target, some in self.packages.items():
            yield f"{target.words}: {len(some)} packages, {mega(_size(some))}"
            if target.platform.startswith("linux") and any(one.name.startswith("nvidia-cu") for one in some):
                yield "  most is torch with CUDA; `--torch cpu` takes some 200 MB, from PyTorch's own index"
            if unknown := [one.name for one in some if one.size is None]:
                yield f"  {len(unknown)} of them more, as the index does not state their size, such as {unknown[0]}"
        yield from (one.sentence() for one in self.data)
        yield f"The course: {len(self.chapters)} chapters"
        if self.left:
            yield f"  without {len(self.left)} files that git does not track, such as {self.left[0]}"
        have = f"{mega(self.to_fetch)} of it are to be fetched" if self.to_fetch else "all of it is here"
        yield f"Together {mega(self.total)}; {have}, and {mega(self.needed)} of {self.to.parent}'s disk on the way."
        if self.archive and self.total > FAT32:
            yield (
                "A stick formatted as FAT32 takes no file of more than 4 GiB: format it as exFAT, or give a --to "
                "without .zip, which makes a folder."
            )


def make_plan(
    to: Path, targets: Sequence[Target], chapters: Sequence[Chapter], *, torch: str, project: Path = PROJECT
) -> Plan:
    """Return what a bundle will hold. Asks the index, fetches nothing.

    Raises `Refused` where `to` is taken, the index cannot be asked, or a package has no wheel.
    """
    if not (project / "pyproject.toml").is_file():
        raise Refused(f"a bundle is made in a clone of the course, and {project} came with a package")
    to = to.absolute()
    if to.exists() and (to.is_file() or any(to.iterdir())):
        beside = (
            (f"; {parts_of(to)} is left from an earlier call, and you may delete it")
            if parts_of(to).exists()
            else ""
        )
        raise Refused(f"{to} is there already: move it away, or give another --to{beside}")
    packages = {target: wheels.resolve(target, torch=torch, project=project) for target in targets}
    course, left = contents.course_files(chapters, project=project)
    names = tuple(chapter.name for chapter in chapters)
    return Plan(to, torch, names, packages, course, contents.data_for(chapters), left)


def build(plan: Plan, tell: Callable[[str], object] = print) -> dict[str, Any]:
    """Make the bundle; return its manifest. `tell` hears of each step, and of what is not to be had.

    Wheels that have come stay in `plan.parts` until the bundle is complete, also where this is interrupted.
    Raises `Refused`.
    """
    with _held(plan.parts):
        plan.check_disk()
        _clear(plan)
        for target, packages in plan.packages.items():
            settings = {"parts": plan.parts, "torch": plan.torch, "tell": tell}
            wheels.download(packages, target, plan.root / "wheels", **settings)
        sources, fetched = dict(plan.course), []
        for before in plan.data:
            data = contents.fetch(before)
            fetched.append(data)
            sources |= data.files()
            if data.out != before.out:
                tell(data.sentence())
        for name, source in sources.items():
            (plan.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, plan.root / name)
        tell(f"Writing {plan.to} …")
        manifest = describe(plan, fetched)
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        (plan.root / integrity.MANIFEST).write_text(text, encoding="utf-8")
        publish(plan.root, plan.to)
    shutil.rmtree(plan.parts, ignore_errors=True)
    return manifest


def _clear(plan):
    """Remove from the parts what an interrupted call has left there, except for wheels of this plan."""
    store = plan.root / "wheels"
    store.mkdir(parents=True, exist_ok=True)
    kept = {store / package.file for some in plan.packages.values() for package in some}
    kept |= {plan.root, store, plan.parts / LOCK}
    for path in [path for folder in (plan.parts, plan.root, store) for path in folder.iterdir()]:
        if path not in kept:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def describe(plan: Plan, data: Sequence[contents.Data]) -> dict[str, Any]:
    """Write the files that start and install the bundle; return its manifest, with every file of it.

    `data`: the plan's data sets as they are once fetched, as the manifest says what is in the bundle.
    Raises `Refused` where the disk has changed a wheel since pip has compared it with the index's hash.
    """
    store, targets = plan.root / "wheels", {}
    each = {(one.file, one.sha256): one for some in plan.packages.values() for one in some}
    # Reading gigabytes takes minutes: each wheel is read once, for all targets and for the manifest.
    hashed = {f"wheels/{one.file}": verified(one, store) for one in each.values()}
    (plan.root / "requirements").mkdir()
    for target, packages in plan.packages.items():
        requirements = f"requirements/{target}.txt"
        lines = "".join(package.line for package in packages)
        (plan.root / requirements).write_text(lines, encoding="utf-8", newline="\n")
        names = [package.file for package in packages]
        installed, longest = unpacked([store / name for name in names])
        made = {"requirements": requirements, "wheels": names, "installed": installed, "longest": longest}
        targets[str(target)] = made
    largest = max(one["installed"] for one in targets.values())
    starters.write(plan.root, plan.packages, in_place=plan.archive, installed=largest)
    there = sorted(path for path in plan.root.rglob("*") if path.is_file())
    files = {path.relative_to(plan.root).as_posix(): path for path in there}
    return {
        "commit": commit(),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "torch": plan.torch,
        "in_place": plan.archive,
        "chapters": list(plan.chapters),
        "data": [one.sentence() for one in data],
        "targets": targets,
        "files": {name: hashed.get(name) or integrity.describe(path) for name, path in files.items()},
    }


def verified(package: wheels.Package, folder: Path) -> dict[str, Any]:
    """Return what the manifest holds of a package's wheel.

    Deletes one that has not the index's SHA-256, and raises `Refused`.
    """
    path = folder / package.file
    found = integrity.describe(path)
    if found["sha256"] != package.sha256:
        path.unlink()
        raise Refused(
            f"the disk has changed {path.name}: found the SHA-256 {found['sha256'][:16]}…, the index states "
            f"{package.sha256[:16]}…; it is removed. Give the command again, perhaps on another disk"
        )
    return found


def unpacked(paths: Sequence[Path]) -> tuple[int, int]:
    """Return (bytes, characters of the longest path) of wheels once they are installed."""
    total = longest = 0
    for path in paths:
        with zipfile.ZipFile(path) as archive:
            total += sum(member.file_size for member in archive.infolist())
            longest = max([longest, *map(len, archive.namelist())])
    return total, longest


def publish(root: Path, to: Path) -> None:
    """Give the folder `root` the name `to`, or an archive of it where that ends in .zip, once it is on the disk."""
    if to.suffix.lower() == ".zip":
        source = root.with_name(to.name)
        with zipfile.ZipFile(source, "w", strict_timestamps=False) as archive:
            for path in sorted(path for path in root.rglob("*") if path.is_file()):
                how = zipfile.ZIP_STORED if path.suffix in _PACKED else zipfile.ZIP_DEFLATED
                archive.write(path, f"{FOLDER}/{path.relative_to(root).as_posix()}", how)
        atomic.sync(source)
    else:
        source = root
        if to.is_dir():
            to.rmdir()  # empty: another one was refused
        if hasattr(os, "sync"):
            os.sync()  # a stick is pulled out soon
    source.replace(to)
    atomic.sync_folder(to.parent)


def parts_of(to: Path) -> Path:
    """Return the folder beside a bundle that keeps what has come until the bundle is complete."""
    return to.with_name(f"{to.name}.parts")


@contextmanager
def _held(parts):
    """Keep another `course bundle` out of the parts, and say in words what a disk refuses."""
    try:
        parts.mkdir(parents=True, exist_ok=True)
        with FileLock(parts / LOCK, timeout=0):
            yield
    except Timeout:
        raise Refused(f"another `course bundle` is using {parts}; wait until it has ended, or stop it") from None
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno == errno.EFBIG:
            reason = "it takes no file of that size (FAT32: at most 4 GiB); a --to without .zip makes a folder"
        if disk.is_full(error):
            reason = f"{os.strerror(error.errno)} ({disk.free(parts)}); make room there and give the command again"
        raise Refused(f"the disk of {parts.parent}: {reason}. What has come is kept in {parts}") from error


def _size(packages):
    return sum(one.size or 0 for one in packages)


def mega(size: int) -> str:
    """Return bytes in words, in MB of a million."""
    return f"{size / 1e6:,.0f} MB" if size >= 1e7 else f"{size / 1e6:,.1f} MB"
