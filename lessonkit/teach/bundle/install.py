"""A virtual environment from a bundle's wheels, made by the pip among them. Standard library only."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

READY = ".ready"  # in .venv: the SHA-256 of the manifest it was made from, and where it was made
BUILD = ".torch"  # in .venv: which build of torch, as `make setup` asks later


def python_in(course: Path) -> Path:
    """Return the Python of the course's environment."""
    return course / ".venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def is_ready(course: Path, digest: str) -> bool:
    """Return whether the environment was completed, from the bundle with this digest."""
    marker = course / ".venv" / READY
    return marker.is_file() and marker.read_text(encoding="utf-8") == _mark(course, digest)


def _mark(course, digest):
    """Return the content of READY: an environment holds its own path, so one that was moved is not ready."""
    return f"{digest} {course}\n"


def install(
    course: Path, requirements: Path, *, folder: Path, wheels: Sequence[str], torch: str, digest: str
) -> None:
    """Make the environment anew from the wheels in `folder` that the file `requirements` lists with their hashes.

    `wheels`: names of files that have been verified; pip is run from the one among them, as `ensurepip` does, since
    Debian's and Ubuntu's Python has no pip of its own. `digest` marks the environment as ready at the very end.
    Ends the program where a step fails.
    """
    shutil.rmtree(course / ".venv", ignore_errors=True)  # an unfinished one; a learner's work is never in there
    pip = next((folder / name for name in wheels if name.startswith("pip-")), None)
    if pip is None:
        raise SystemExit("The bundle has no pip, which installs it. Make the bundle again.")
    print(f"Making .venv with {sys.executable}, and installing the packages …", flush=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHONPATH"))}
    clean |= {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    install = [python_in(course), "-m", "pip", "install", "--quiet", "--no-cache-dir", "--no-deps"]
    packages = ["--require-hashes", "--no-compile", "--find-links", folder, "-r", requirements]
    _call([sys.executable, "-m", "venv", "--without-pip", ".venv"], course, clean)
    _call([*install, *packages], course, clean | {"PYTHONPATH": str(pip)})
    _call([*install, "--no-build-isolation", "-e", "."], course, clean)
    (course / ".venv" / BUILD).write_text(f"{torch}\n", encoding="utf-8")
    (course / ".venv" / READY).write_text(_mark(course, digest), encoding="utf-8")


def _call(command, folder, environment):
    words = [str(word) for word in command]
    if status := subprocess.run(words, cwd=folder, env=environment).returncode:
        said = subprocess.list2cmdline(words)
        raise SystemExit(f"{said}\nended with exit status {status}: read above, then start again.")
