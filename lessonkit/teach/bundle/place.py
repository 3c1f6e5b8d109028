"""Where a bundle installs the course, and whether there is room for it. The standard library alone."""

import contextlib
import shutil
import sys
from pathlib import Path
from typing import Any

SPARE = 500_000_000  # bytes left for what chapters write
LONGEST = 259  # characters of a path on Windows, where long ones are not switched on
MARKER = ".bundle"  # in a folder that a bundle has copied the course to, and may copy it to again
_ELSEWHERE = "name another folder: python start.py --to FOLDER"


def choose(root: Path, manifest: dict[str, Any], named: Path | None) -> Path:
    """Return the course's folder: `named`, else in the bundle, else in the home folder for one that is a folder.

    A folder is made for a stick or a share: there nobody could install, or many would into the same place.
    """
    if named is not None:
        return named.expanduser().resolve()
    if manifest["in_place"]:
        return root / "course"
    try:
        home = Path.home() / "pytorch-course"
    except RuntimeError:
        raise SystemExit(f"This machine does not say where your home folder is: {_ELSEWHERE}") from None
    print(f"The course goes to {home}; `--to FOLDER` names another place.", flush=True)
    return home


def prepare(course: Path, root: Path, *, needed: int, longest: int) -> None:
    """Make the folder; end the program where it is somebody else's, cannot be written, is too full or too deep.

    `needed`: bytes that will be written there; `longest`: characters of the longest path in a wheel.
    """
    inside = course != root / "course" and course.is_relative_to(root)
    if inside or (course / "manifest.json").is_file():
        raise SystemExit(f"{course} is a part of the bundle or another one: {_ELSEWHERE}")
    own = course == root / "course" or (course / MARKER).is_file()
    try:
        if not own and course.exists() and (not course.is_dir() or any(course.iterdir())):
            raise SystemExit(f"{course} holds something else, which is left as it is: {_ELSEWHERE}")
        course.mkdir(parents=True, exist_ok=True)
        (course / MARKER).write_text("Put here by start.py of a bundle of the course.\n", encoding="utf-8")
    except OSError as error:
        raise SystemExit(f"{course} cannot be written ({error.strerror}): {_ELSEWHERE}") from None
    free = shutil.disk_usage(course).free
    if free < needed + SPARE:
        raise SystemExit(
            f"The disk of {course} has {free / 1e6:,.0f} MB free, the course needs {(needed + SPARE) / 1e6:,.0f}: "
            f"make room, or {_ELSEWHERE}"
        )
    deepest = len(str(course / ".venv" / "Lib" / "site-packages")) + 1 + longest
    if sys.platform == "win32" and deepest > LONGEST and not _long_paths():
        raise SystemExit(
            f"{course} is too deep: some paths would have {deepest} characters, and this Windows takes {LONGEST}. "
            r"Name a shorter folder: python start.py --to C:\course"
        )


def copy_course(root: Path, course: Path, names: list[str]) -> None:
    """Copy the course's files (`course/…` of the bundle) to their place, unless they lie there already."""
    if course == root / "course":
        return
    print(f"Copying the course to {course} …", flush=True)
    for name in names:
        target = course.joinpath(*name.split("/")[1:])
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                target.unlink()  # it may be read-only, as files copied from a share are
            shutil.copyfile(root.joinpath(*name.split("/")), target)
        except OSError as error:
            reason = error.strerror or error
            raise SystemExit(
                f"{name} cannot be copied to {course} ({reason}): mend that, then start again."
            ) from None


def _long_paths():
    """Whether this Windows takes long paths: whoever administers it may have switched them on."""
    import winreg

    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SYSTEM\CurrentControlSet\Control\FileSystem") as key:
            return bool(winreg.QueryValueEx(key, "LongPathsEnabled")[0])
    except OSError:
        return False
