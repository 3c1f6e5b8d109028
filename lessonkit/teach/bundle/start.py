"""What `python start.py` of a bundle does: verify, install once, open JupyterLab. Standard library only."""

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lessonkit.teach.bundle import install, integrity, targets

SPARE = 500_000_000  # bytes left for what chapters write
LONGEST = 259  # characters of a path on Windows, where long ones are not switched on
MARKER = ".bundle"  # in a folder that a bundle has copied the course to, and may copy it to again
_ELSEWHERE = "name another folder: python start.py --to FOLDER"
DESCRIPTION = """Install the course from this folder, without a network, and open it.

Every file is compared with manifest.json before it is used. Packages come from `wheels` alone, into .venv in the
course's folder; nothing else is installed, and deleting that folder undoes it.
"""


def main(root: str, arguments: list[str]) -> int:
    """Install where that has not been done, then open JupyterLab; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="start.py",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--only-install", action="store_true", help="open nothing")
    parser.add_argument("--no-browser", action="store_true", help="print JupyterLab's address, open no browser")
    parser.add_argument("--to", metavar="FOLDER", type=Path, help="where the course is to lie")
    parser.add_argument("more", nargs="*", metavar="-- JUPYTER_OPTION", help="handed on to JupyterLab")
    options = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a console without the character must not end an installation
    course = prepare(Path(root), options.to)
    print(f"The course is ready in {course}", flush=True)
    return 0 if options.only_install else open_lab(course, options.more, no_browser=options.no_browser)


def prepare(root: Path, named: Path | None) -> Path:
    """Return the folder of the course, installed. Ends the program where it cannot be."""
    manifest, digest = integrity.read_manifest(root)
    target = str(targets.here())
    course = choose(root, manifest, named)
    if install.is_ready(course, digest):
        return course
    if target not in manifest["targets"]:
        there = " · ".join(targets.read(name).words for name in manifest["targets"])
        raise SystemExit(
            f"This is {targets.here().words} ({sys.executable}); the bundle holds wheels for: {there}. Start "
            "start.py with such a Python, or make a bundle for this one: `course bundle --platform … --python …`."
        )
    packages, files = manifest["targets"][target], manifest["files"]
    wheels = {f"wheels/{name}" for name in packages["wheels"]}
    own = [name for name in files if name.startswith("course/")]
    copied = 0 if course == root / "course" else sum(files[name]["size"] for name in own)
    make_folder(course, root, needed=packages["installed"] + copied, longest=packages["longest"])
    integrity.verify(root, files, (name for name in files if not name.startswith("wheels/") or name in wheels))
    if course != root / "course":
        copy_course(root, course, own)
    requirements, made_of = root.joinpath(*packages["requirements"].split("/")), root / "wheels"
    settings = {"torch": manifest["torch"], "digest": digest}
    install.install(course, requirements, folder=made_of, wheels=packages["wheels"], **settings)
    return course


def choose(root: Path, manifest: dict[str, Any], named: Path | None) -> Path:
    """Return the course's folder: `named`, else in the bundle, else in the home folder for one that is a folder.

    A folder is made for a stick or a share: there nobody could install, or many would into the same place.
    """
    if named is not None:
        return named.expanduser().resolve()
    if manifest["in_place"]:
        return root / "course"
    try:
        home = Path.home() / targets.FOLDER
    except RuntimeError:
        raise SystemExit(f"This machine does not say where your home folder is: {_ELSEWHERE}") from None
    print(f"The course goes to {home}; `--to FOLDER` names another place.", flush=True)
    return home


def make_folder(course: Path, root: Path, *, needed: int, longest: int) -> None:
    """Make the folder; end the program where it is somebody else's, cannot be written, is too full or too deep.

    `needed`: bytes that will be written there; `longest`: characters of the longest path in a wheel.
    """
    inside = course != root / "course" and course.is_relative_to(root)
    if inside or (course / integrity.MANIFEST).is_file():
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


def copy_course(root: Path, course: Path, names: Iterable[str]) -> None:
    """Copy the course's files (`course/…` of the bundle) to their place."""
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
                f"{name} cannot be copied to {course} ({reason}): fix that, then start again."
            ) from None


def open_lab(course: Path, more: list[str], *, no_browser: bool) -> int:
    """Open JupyterLab on the learner's copies until it is stopped; return its exit status."""
    command = [install.python_in(course), "-m", "lessonkit.cli", "lab", *["--no-browser"] * no_browser]
    command += ["--", *more] if more else []
    # A room without a network: no chapter waits for a server to answer, unless whoever starts this says so.
    environment = {"COURSE_OFFLINE": "1"} | dict(os.environ)
    process = subprocess.Popen(command, cwd=course, env=environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches JupyterLab too, which asks before it stops
    return process.wait()


def _long_paths():
    """Return whether this Windows takes long paths: whoever administers it may have switched them on."""
    import winreg

    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SYSTEM\CurrentControlSet\Control\FileSystem") as key:
            return bool(winreg.QueryValueEx(key, "LongPathsEnabled")[0])
    except OSError:
        return False
