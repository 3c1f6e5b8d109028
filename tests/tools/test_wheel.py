"""The wheel holds what `course` needs: installed in a fresh environment, used in an empty folder, no clone near."""

import os
import re
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.request
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from course_utils import PROJECT

LIMIT = 600  # seconds: ends a hang
WINDOWS = os.name == "nt"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy of what git knows, so that nothing is left in the clone."""
    folder = tmp_path_factory.mktemp("wheel")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (PROJECT / name).is_file() and not name.startswith(("tests/", "benchmarks/results")):
            (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "source" / name).write_bytes((PROJECT / name).read_bytes())
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder]
    done = subprocess.run([*build, folder / "source"], capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("course_utils-*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """(Python, an empty folder): an environment with the wheel, and this one's packages but not its course."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder / "venv", with_pip=False)
    bin_folder = folder / "venv" / ("Scripts" if WINDOWS else "bin")
    python = bin_folder / ("python.exe" if WINDOWS else "python")
    ask = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    library = Path(subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip())
    # A .pth file in a folder that another .pth names is not read, so the clone of an editable install stays unseen.
    (library / "packages.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel]
    done = subprocess.run(install, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "my course").mkdir()
    return python, folder / "my course"


def course(installed, *arguments):
    python, folder = installed
    env = {name: value for name, value in os.environ.items() if not name.startswith(("COURSE_", "PYTHONPATH"))}
    env |= {"COURSE_OFFLINE": "1"}
    command = [python.with_name("course.exe" if WINDOWS else "course"), *arguments]
    return subprocess.Popen(
        command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def said(installed, *arguments):
    process = course(installed, *arguments)
    text = process.communicate(timeout=LIMIT)[0]
    assert process.returncode == 0, text
    return text


def status(address):
    """The HTTP status at an address; the server says its address a moment before it listens."""
    for _ in range(100):
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return answer.status
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            time.sleep(0.2)
    return None


def test_it_holds_notebooks_samples_and_records(wheel):
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    for folder in ("notebooks", "data/samples", "data/recorded", "scripts"):
        here = [path for path in (PROJECT / folder).rglob("*") if path.is_file() and path.suffix != ".pyc"]
        here = [path for path in here if not {"results", ".ipynb_checkpoints"} & set(path.parts)]
        brought = {f"course_utils/content/{path.relative_to(PROJECT).as_posix()}" for path in here}
        assert brought and not brought - names, f"missing: {sorted(brought - names)[:5]}"
    assert "course_utils/content/course.toml" in names
    of_its_own = {"torch_clinic/README.md", "torch_clinic/pyproject.toml"}  # for a wheel of torch_clinic alone
    for package in ("course_utils", "lessonkit", "torch_clinic"):
        here = {path for path in (PROJECT / package).rglob("*") if path.is_file() and path.suffix != ".pyc"}
        missing = {path.relative_to(PROJECT).as_posix() for path in here} - names - of_its_own
        assert here and not missing, f"missing: {sorted(missing)[:5]}"
    assert not [name for name in names if "/cache/" in name or name.startswith("tests")]


def test_the_installed_course_is_used_and_not_the_clone(installed):
    python, folder = installed
    program = "from lessonkit.system import place; print(place.INSTALLED, place.PROJECT, place.HOME, sep='\\n')"
    ask = [python, "-c", program]
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("COURSE_", "PYTHONPATH"))
    }
    done = subprocess.run(ask, cwd=folder, env=inherited, capture_output=True, text=True, check=True)
    is_installed, brought, home = done.stdout.splitlines()
    assert is_installed == "True" and Path(brought).name == "content" and Path(home) == folder.resolve()
    assert PROJECT not in Path(brought).parents
    assert said(installed, "--version").strip() == f"course, version {version('course-utils')}"


def test_a_chapter_runs_and_nothing_is_written_beside_the_package(installed):
    python, folder = installed
    package = next((python.parents[1]).rglob("course_utils/content"))
    before = {path: path.stat().st_mtime_ns for path in package.rglob("*")}
    assert "00_start_here  passed" in re.sub(r" {2,}", "  ", said(installed, "run", "00", "--core"))
    assert (folder / "build" / "run" / "report.html").is_file()
    assert {path: path.stat().st_mtime_ns for path in package.rglob("*")} == before


def test_course_lab_opens_on_copies_in_the_empty_folder(installed):
    _, folder = installed
    as_root = ["--", "--allow-root"] if not WINDOWS and os.geteuid() == 0 else []
    process = course(installed, "lab", "--no-browser", *as_root)
    lines, address = [], None
    try:
        for line in process.stdout:
            lines.append(line)
            if address := re.search(r"http://127\.0\.0\.1:\d+/lab\?token=\w+", line):
                break
        assert address, "".join(lines)
        there = address[0].replace("/lab?", "/api/contents/work/05_training.ipynb?content=0&")
        assert status(there) == 200
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert len(list((folder / "work").glob("[0-9][0-9]_*.ipynb"))) == len(
        list((PROJECT / "notebooks").glob("*.ipynb"))
    )
    assert (folder / "scripts" / "train_ddp.py").is_file()
    assert str(Path("my course", "work")) in said(installed, "progress")  # kept here, and nothing is noted yet
