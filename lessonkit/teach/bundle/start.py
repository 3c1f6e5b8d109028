"""What `python start.py` of a bundle does: verify, install once, open JupyterLab. The standard library alone."""

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

from lessonkit.teach.bundle import install, integrity, place, targets

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
    course = place.choose(root, manifest, named)
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
    used = [name for name in files if not name.startswith("wheels/") or name in wheels]
    own = [name for name in files if name.startswith("course/")]
    copied = 0 if course == root / "course" else sum(files[name]["size"] for name in own)
    place.prepare(course, root, needed=packages["installed"] + copied, longest=packages["longest"])
    integrity.verify(root, files, used)
    place.copy_course(root, course, own)
    requirements = root.joinpath(*packages["requirements"].split("/"))
    install.install(root, course, requirements, torch=manifest["torch"], digest=digest)
    return course


def open_lab(course: Path, more: list[str], *, no_browser: bool) -> int:
    """Open JupyterLab on the learner's copies until it is stopped; return its exit status."""
    command = [install.python_in(course), "-m", "lessonkit.cli", "lab", *["--no-browser"] * no_browser]
    command += ["--", *more] if more else []
    # A room without a network: no chapter waits for a server to answer, unless whoever starts this says so.
    environment = {"COURSE_OFFLINE": "1"} | dict(os.environ)
    process = subprocess.Popen(command, cwd=course, env=environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches JupyterLab too, which asks before it stops
    return process.wait()
