"""Making a bundle: fetch what is missing, describe every file, write one archive or one folder, all or nothing."""

import errno
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from course_utils.progress_bar import progress
from lessonkit.notebook.catalog import Refused
from lessonkit.system import disk
from lessonkit.teach.bundle import contents, starters
from lessonkit.teach.bundle.fetch import PART
from lessonkit.teach.bundle.integrity import MANIFEST
from lessonkit.teach.bundle.pack import TOP, Folder, Zip
from lessonkit.teach.bundle.plan import Plan, is_archive, parts_of
from lessonkit.teach.room.release import commit


def build(plan: Plan, tell: Callable[[str], object]) -> dict[str, Any]:
    """Make the bundle; return its manifest. `tell` hears of what could not be had.

    What has come stays in `plan.parts` until the bundle is whole, also where this is ended. Raises `Refused`.
    """
    lock = _lock_of(plan.parts)
    with _held(plan.parts, lock):
        fetch(plan)
        data = [contents.fetch(one) for one in plan.data]
        for before, after in zip(plan.data, data, strict=True):
            if after.out != before.out:
                tell(after.sentence())
        plan = replace(plan, data=data)
        plan.check_disk()
        manifest = describe(plan)
        write(plan, manifest)
    shutil.rmtree(plan.parts, ignore_errors=True)
    lock.unlink(missing_ok=True)
    return manifest


def tidied(to: Path) -> bool:
    """Return whether a bundle is whole and was ended just before all beside it was removed, which is done now."""
    to = to.absolute()
    parts, lock = parts_of(to), _lock_of(parts_of(to))
    if is_archive(to):
        if not ((parts.is_dir() or lock.exists()) and to.is_file() and zipfile.is_zipfile(to)):
            return False
        with zipfile.ZipFile(to) as archive:  # it got its name when it was whole; somebody else's has no manifest
            if f"{TOP}/{MANIFEST}" not in archive.namelist():
                return False
        with _held(parts, lock):
            shutil.rmtree(parts, ignore_errors=True)
    elif parts.exists() or not (lock.exists() and (to / MANIFEST).is_file()):
        return False
    lock.unlink(missing_ok=True)
    return True


def _lock_of(parts: Path) -> Path:
    return parts.with_name(f"{parts.name}.lock")


@contextmanager
def _held(parts: Path, lock: Path) -> Iterator[None]:
    """Keep another `course bundle` out of the parts, and say in words what a disk refuses."""
    try:
        (parts / "wheels").mkdir(parents=True, exist_ok=True)
        with FileLock(lock, timeout=0):
            yield
    except Timeout:
        raise Refused(f"another `course bundle` is at work on {parts}: wait for it, or end it") from None
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno == errno.EFBIG:
            reason = "it takes no file of that size (FAT32: at most 4 GiB); a --to without .zip makes a folder"
        if disk.is_full(error):
            reason = f"{os.strerror(error.errno)} ({disk.free(parts)}); make room there and say the same again"
        raise Refused(f"the disk of {parts.parent}: {reason}. What has come is kept in {parts}") from error


def fetch(plan: Plan) -> None:
    """Bring every wheel into the parts, and remove what belongs to none of them."""
    wheels = plan.files
    kept = {name for wheel in wheels for name in (wheel, wheel + PART)}
    for path in plan.store.folder.iterdir():
        if path.name not in kept:
            path.unlink()
    done = sum(plan.store.here(wheel) for wheel in wheels.values())
    with closing(progress(total=plan.to_fetch + done, desc="wheels", unit="B")) as bar:
        bar.unit_scale = True
        bar.update(done)
        for wheel in wheels.values():
            plan.store.bring(wheel, bar.update)


def describe(plan: Plan) -> dict[str, Any]:
    """Write the bundle's own files into the parts; return the manifest but for what `write` adds, `files`."""
    targets = {}
    shutil.rmtree(plan.parts / "requirements", ignore_errors=True)  # of a run for other machines
    (plan.parts / "requirements").mkdir()
    for target, wheels in plan.wheels.items():
        requirements = f"requirements/{target}.txt"
        lines = "".join(f"{wheel.package}=={wheel.version}\n" for wheel in wheels)
        (plan.parts / requirements).write_text(lines, encoding="utf-8", newline="\n")
        names = [wheel.name for wheel in wheels]
        installed, longest = unpacked([plan.store.folder / name for name in names])
        targets[str(target)] = {
            "requirements": requirements,
            "wheels": names,
            "installed": installed,
            "longest": longest,
        }
    largest = max(one["installed"] for one in targets.values())
    starters.write(plan.parts, plan.wheels, in_place=plan.archive, installed=largest)
    return {
        "commit": commit(),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "torch": plan.torch,
        "in_place": plan.archive,
        "chapters": list(plan.chapters),
        "data": [one.sentence() for one in plan.data],
        "targets": targets,
    }


def unpacked(wheels: list[Path]) -> tuple[int, int]:
    """Return (bytes, characters of the longest path) of wheels once they are installed."""
    total = longest = 0
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.infolist():
                total += member.file_size
                longest = max(longest, len(member.filename))
    return total, longest


def write(plan: Plan, manifest: dict[str, Any]) -> None:
    """Write the archive or the folder, the manifest last. A disk that has changed a wheel is noticed here."""
    sources = {f"wheels/{name}": plan.store.folder / name for name in plan.files}
    own = [*(plan.parts / "requirements").iterdir(), *(path for path in plan.parts.iterdir() if path.is_file())]
    sources |= {path.relative_to(plan.parts).as_posix(): path for path in own if path.name != MANIFEST}
    sources |= plan.course
    for one in plan.data:
        sources |= one.files()
    total = sum(path.stat().st_size for path in sources.values())
    pack = Zip if plan.archive else Folder
    with pack(plan.to, plan.parts) as target, closing(progress(total=total, desc="writing", unit="B")) as bar:
        bar.unit_scale = True
        files = manifest["files"] = {}
        for name, path in sources.items():
            files[name] = target.add(name, path, bar.update)
            wheel = plan.files.get(path.name) if name.startswith("wheels/") else None
            if wheel and files[name]["sha256"] != wheel.sha256:
                raise Refused(f"the disk has changed {path} since it came: say the same again, perhaps elsewhere")
        target.finish(MANIFEST, (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode())
