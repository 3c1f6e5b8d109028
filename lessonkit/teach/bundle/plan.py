"""What a bundle will hold and how large that is, said before a byte of it is fetched."""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lessonkit.notebook.catalog import Chapter, Refused
from lessonkit.system import pip_settings
from lessonkit.system.atomic import remove_stale
from lessonkit.system.place import PROJECT
from lessonkit.teach.bundle import contents, wheels
from lessonkit.teach.bundle.contents import Data
from lessonkit.teach.bundle.fetch import Store
from lessonkit.teach.bundle.targets import Target
from lessonkit.teach.bundle.wheels import Wheel

FAT32 = 2**32 - 1  # bytes of the largest file there
_CUDA = re.compile(r"(nvidia-(?!ml-py)|cuda-|triton$|torch$)")  # torch with CUDA, and what it brings


@dataclass
class Plan:
    """A bundle before it is made: where to, for which machines, and all that goes into it."""

    to: Path
    torch: str
    chapters: tuple[str, ...]
    wheels: dict[Target, list[Wheel]]
    course: dict[str, Path]
    data: list[Data]
    store: Store
    left: list[str] = field(default_factory=list)  # files of the course that git does not track
    sizes: dict[str, int | None] = field(default_factory=dict)  # bytes of each wheel, by its name

    @property
    def archive(self) -> bool:
        """Whether it becomes one file, and not a folder."""
        return is_archive(self.to)

    @property
    def parts(self) -> Path:
        """The folder beside it that keeps what has come until it is whole."""
        return self.store.folder.parent

    @property
    def files(self) -> dict[str, Wheel]:
        """The wheels by their names, each once, whichever machines need it."""
        return {wheel.name: wheel for some in self.wheels.values() for wheel in some}

    @property
    def total(self) -> int:
        """Bytes of the whole bundle, as far as they are known."""
        own = sum(path.stat().st_size for path in self.course.values())
        return own + sum(one.size for one in self.data) + sum(size or 0 for size in self.sizes.values())

    @property
    def to_fetch(self) -> int:
        """Bytes still to come, as far as they are known."""
        missing = (max(0, (self.sizes[name] or 0) - self.store.here(one)) for name, one in self.files.items())
        return sum(missing) + sum(one.to_fetch for one in self.data)

    @property
    def disk(self) -> int:
        """Bytes that the disk of `to` must have: what comes, and an archive is written beside its parts."""
        here = sum(self.store.here(one) for one in self.files.values())
        return self.to_fetch + (self.total if self.archive else self.total - self.to_fetch - here)

    def check_disk(self) -> None:
        """Raise `Refused` where the disk has too little room. Half an archive that a kill has left goes first."""
        remove_stale(nearest(self.to))
        free = shutil.disk_usage(nearest(self.to)).free
        if free < self.disk:
            way = "" if not self.archive else "; a --to without .zip makes a folder, which takes half"
            raise Refused(f"{nearest(self.to)} has {mega(free)} free, and this takes {mega(self.disk)}{way}")

    def tell(self) -> Iterator[str]:
        """Yield what will be fetched and how large it is, as lines."""
        for target, some in self.wheels.items():
            known = [(self.sizes[one.name] or 0, one) for one in some]
            whole = sum(size for size, _ in known)
            yield f"{target.words}: {len(some)} packages, {mega(whole)}"
            cuda = sum(size for size, one in known if _CUDA.match(one.package))
            if target.platform.startswith("linux") and self.torch == "default" and cuda > whole / 2:
                yield (
                    f"  {mega(cuda)} of it are torch with CUDA, for machines with an NVIDIA GPU; `--torch cpu` "
                    "takes some 200 MB instead, from PyTorch's own index"
                )
        unknown = [name for name, size in self.sizes.items() if size is None]
        if unknown:
            yield f"  {len(unknown)} packages more whose size nobody tells, such as {unknown[0]}"
        for one in self.data:
            yield one.sentence()
        own = sum(path.stat().st_size for path in self.course.values())
        yield f"The course: {len(self.chapters)} chapters, {mega(own)}"
        if self.left:
            yield f"  without {len(self.left)} files that git does not track, such as {self.left[0]}"
        have = f"{mega(self.to_fetch)} of it are to be fetched" if self.to_fetch else "all of it is here"
        yield f"Together {mega(self.total)}; {have}, and {mega(self.disk)} of {self.to.parent}'s disk on the way."
        if self.archive and self.total > FAT32:
            yield (
                "A stick formatted as FAT32 takes no file of more than 4 GiB: format it as exFAT, or give a --to "
                "without .zip, which makes a folder."
            )


def make(
    to: Path, targets: Sequence[Target], chapters: Sequence[Chapter], *, torch: str, project: Path = PROJECT
) -> Plan:
    """Return what a bundle will hold. Asks the index, fetches nothing.

    Raises `Refused` where `to` is taken, the index cannot be asked, or a package has no wheel.
    """
    if not (project / "pyproject.toml").is_file():
        raise Refused(f"a bundle is made in a clone of the course, and {project} came with a package")
    to = to.absolute()
    if to.exists() and (to.is_file() or any(to.iterdir())):
        raise Refused(f"{to} is there already: move it away, or give another --to")
    settings = pip_settings.of_pip(sys.executable, os.environ)
    store = Store(parts_of(to) / "wheels", settings)
    resolved = {target: wheels.resolve(target, settings, torch=torch, project=project) for target in targets}
    names = tuple(chapter.name for chapter in chapters)
    course, left = contents.course_files(chapters, project=project)
    plan = Plan(to, torch, names, resolved, course, contents.data_for(chapters), store, left)
    plan.sizes = {name: store.size(wheel) for name, wheel in plan.files.items()}
    return plan


def parts_of(to: Path) -> Path:
    """Return the folder beside a bundle that keeps what has come until it is whole."""
    return to.with_name(f"{to.name}.parts")


def is_archive(to: Path) -> bool:
    """Return whether a bundle of this name is one file: where it ends in .zip."""
    return to.suffix.lower() == ".zip"


def nearest(path: Path) -> Path:
    """Return the first folder above a path that exists."""
    return next(one for one in path.parents if one.is_dir())


def mega(size: int) -> str:
    """Return bytes in words, in MB of a million."""
    return f"{size / 1e6:,.0f} MB" if size >= 1e7 else f"{size / 1e6:,.1f} MB"
