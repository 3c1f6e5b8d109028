"""A virtual environment from a bundle's wheels, by uv, one of them, else by pip. The standard library alone."""

import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

READY = ".ready"  # in .venv: the SHA-256 of the manifest it was made from, and where it was made
BUILD = ".torch"  # in .venv: which build of torch, as `make setup` asks later
OURS = ("--no-deps", "--no-build-isolation", "-e", ".")  # the course; setuptools is among the wheels


def python_in(course: Path) -> Path:
    """Return the Python of the course's environment."""
    return course / ".venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def install(root: Path, course: Path, requirements: Path, *, torch: str, digest: str) -> None:
    """Make the environment anew and install the packages of the file `requirements`, then the course.

    `digest` marks it as ready at the very end. Ends the program where that fails.
    """
    venv = course / ".venv"
    shutil.rmtree(venv, ignore_errors=True)  # one that was broken off; work of a learner is never in there
    tools = course / ".bundle-uv"  # beside .venv, on its disk: what is unpacked there is linked, not copied
    try:
        uv = _unpack_uv(root / "wheels", tools)
        if uv is not None:
            _by_uv(uv, tools, root, course, requirements)
        else:
            print("uv does not run on this machine: pip goes on, more slowly.", flush=True)
            _by_pip(root, course, requirements)
    finally:
        shutil.rmtree(tools, ignore_errors=True)
    (venv / BUILD).write_text(f"{torch}\n", encoding="utf-8")
    (venv / READY).write_text(_mark(course, digest), encoding="utf-8")


def is_ready(course: Path, digest: str) -> bool:
    """Return whether the environment was made whole, from the bundle with this digest."""
    marker = course / ".venv" / READY
    return marker.is_file() and marker.read_text(encoding="utf-8") == _mark(course, digest)


def _mark(course, digest):
    """Return what stands in READY: an environment holds its own path, so one that was moved is not ready."""
    return f"{digest} {course}\n"


def _by_uv(uv, tools, root, course, requirements):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("UV_")}
    environment = clean | {"UV_CACHE_DIR": str(tools / "cache"), "UV_NO_CONFIG": "1", "UV_OFFLINE": "1"}
    environment["UV_PYTHON_DOWNLOADS"] = "never"
    print(f"Making .venv with {sys.executable}, and installing the packages …", flush=True)
    call([uv, "venv", "--quiet", "--python", sys.executable, ".venv"], course, environment)
    packages = [uv, "pip", "install", "--python", python_in(course)]
    wheels = ["--no-index", "--no-deps", "--find-links", root / "wheels"]
    call([*packages, *wheels, "-r", requirements], course, environment)
    call([*packages, "--quiet", "--no-index", *OURS], course, environment)


def _by_pip(root, course, requirements):
    """Install by the pip that comes with Python, which Debian and Ubuntu leave out of their own."""
    try:
        call([sys.executable, "-m", "venv", ".venv"], course, dict(os.environ))
    except SystemExit:
        raise SystemExit("Python could not make .venv: on Debian and Ubuntu python3-venv is missing.") from None
    packages = [
        python_in(course),
        "-m",
        "pip",
        "--isolated",
        "--disable-pip-version-check",
        "install",
        "--no-index",
    ]
    call([*packages, "--no-deps", "--find-links", root / "wheels", "-r", requirements], course, dict(os.environ))
    call([*packages, *OURS], course, dict(os.environ))


def _unpack_uv(wheels: Path, tools: Path) -> Path | None:
    """Return uv's program, taken out of its wheel, or None where it does not run: so no pip is needed."""
    name = "uv.exe" if sys.platform == "win32" else "uv"
    for wheel in sorted(wheels.glob("uv-*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            member = next((one for one in archive.namelist() if PurePosixPath(one).name == name), None)
            if member is None:
                continue
            tools.mkdir(exist_ok=True)
            (tools / name).write_bytes(archive.read(member))
        program = tools / name
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        try:
            if subprocess.run([program, "--version"], capture_output=True, timeout=120).returncode == 0:
                return program
        except (OSError, subprocess.TimeoutExpired):
            continue  # another system's, or one that may not run: the next, then pip
    return None


def call(command: list[str | Path], folder: Path, environment: dict[str, str]) -> None:
    """Run a command in a folder; end the program where it fails."""
    words = [str(word) for word in command]
    if status := subprocess.run(words, cwd=folder, env=environment).returncode:
        said = subprocess.list2cmdline(words)
        raise SystemExit(f"{said}\nended with exit status {status}: read above, then start again.")
