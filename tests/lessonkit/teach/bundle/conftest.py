"""A course of three files, an index of a few tiny wheels, and what is needed to make and start bundles of it."""

import base64
import hashlib
import importlib.metadata
import json
import shutil
import sysconfig
import zipfile
from pathlib import Path

import pytest

from course_utils import PROJECT
from lessonkit.notebook import catalog
from lessonkit.system import plain_file
from lessonkit.teach import bundle
from lessonkit.teach.bundle import build, targets

# Builds the wheel of the course that `pip install -e .` asks for, as setuptools would, which is no tiny wheel.
BACKEND = """
import base64, hashlib, pathlib, zipfile
def _write(folder, files):
    name = "course_utils-0.1-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w") as wheel:
        lines = [f"{path},," for path in files]
        for path, text in (files | {"course_utils-0.1.dist-info/RECORD": "\\n".join(lines)}).items():
            wheel.writestr(path, text)
    return name
def build_editable(folder, config_settings=None, metadata_directory=None):
    info = "course_utils-0.1.dist-info/"
    return _write(folder, {
        "course_of_tests.pth": str(pathlib.Path.cwd()),
        info + "METADATA": "Metadata-Version: 2.1\\nName: course-utils\\nVersion: 0.1\\n",
        info + "WHEEL": "Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    })
build_wheel = build_editable
"""
PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["tools"]
[project]
name = "course-utils"
version = "0.1"
requires-python = ">=3.11"
dependencies = ["alpha>=1", "beta"]
"""
CLI = "import os, sys\nprint('opened', sys.argv[1:], os.environ['COURSE_OFFLINE'])\n"


def wheel(folder, name, version, *, tag="py3-none-any", needs=(), files=None):
    """Write a wheel into a folder; its path."""
    info = f"{name}-{version}.dist-info"
    members = {f"{name}/__init__.py": f"VERSION = '{version}'\n"} if files is None else files
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    members = {
        **members,
        f"{info}/METADATA": metadata + "".join(f"Requires-Dist: {need}\n" for need in needs),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    path = folder / f"{name}-{version}-{tag}.whl"
    lines = []
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in members.items():
            data = content.encode() if isinstance(content, str) else content
            archive.writestr(member, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append(f"{member},sha256={digest},{len(data)}\n")
        archive.writestr(f"{info}/RECORD", "".join(lines) + f"{info}/RECORD,,\n")
    return path


def pip_itself(folder):
    """Write the wheel of the pip that runs here, which the bundles of these tests carry and install with."""
    pip = importlib.metadata.distribution("pip")
    paths = [path for path in pip.files if path.parts[0] == "pip" and path.suffix != ".pyc"]
    return wheel(folder, "pip", pip.version, files={path.as_posix(): path.read_binary() for path in paths})


@pytest.fixture(scope="session")
def links(tmp_path_factory):
    """A folder of wheels, as `pip --find-links` reads it."""
    if shutil.which("uv", path=sysconfig.get_path("scripts")) is None and shutil.which("uv") is None:
        pytest.skip("uv is not installed, which resolves the wheels of a bundle")
    folder = tmp_path_factory.mktemp("links")
    wheel(folder, "alpha", "1.0", needs=["gamma"])
    wheel(folder, "alpha", "2.0", needs=["gamma"])
    wheel(folder, "beta", "0.5")
    wheel(folder, "gamma", "3.1", tag="cp311-cp311-win_amd64")
    wheel(folder, "gamma", "3.1", files={"gamma/__init__.py": "", "gamma/large.bin": bytes(300_000)})
    wheel(folder, "setuptools", "99", files={})
    pip_itself(folder)
    return folder


def leave_alone(monkeypatch, links):
    """No index and no settings but the folder of wheels; no data of this machine."""
    for name in ("COURSE_DATA", "COURSE_MIRROR", "PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL", "PIP_CERT"):
        monkeypatch.delenv(name, raising=False)
    settings = {"COURSE_OFFLINE": "1", "PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": "1", "no_proxy": "*"}
    for name, value in (settings | {"PIP_FIND_LINKS": str(links)}).items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def alone(monkeypatch, links):
    """As `leave_alone` says."""
    leave_alone(monkeypatch, links)


@pytest.fixture
def toy(tmp_path):
    """A course of a few files, no clone, in a folder whose name holds a space and an accent."""
    return write_toy(tmp_path / "der Kurs é")


def write_toy(project):
    """Write that course into a folder; the folder."""
    texts = {
        "pyproject.toml": PYPROJECT,
        "requirements.txt": "alpha==1.0\nbeta==0.5\ngamma==3.1\n",
        "tools/backend.py": BACKEND,
        "README.md": "A course.\n",
        "data/README.md": "Licences.\n",
        "lessonkit/cli.py": CLI,
        "course_utils/__pycache__/old.pyc": "",
        "work/00_start_here.ipynb": "a learner's own",
    }
    for name, data in (("00_start_here", ["mnist"]), ("05_training", [])):
        texts[f"notebooks/{name}.ipynb"] = json.dumps({"metadata": {"course": {"data": data}}, "cells": []})
    for name, text in texts.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    ours = Path(bundle.__file__).parent
    shutil.copytree(ours, project / ours.relative_to(PROJECT), dirs_exist_ok=True)
    needed = Path(plain_file.__file__).relative_to(PROJECT)  # by the bundle's own start
    (project / needed).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(plain_file.__file__, project / needed)
    for package in {*ours.relative_to(PROJECT).parents, needed.parent, Path("course_utils")}:
        if (PROJECT / package / "__init__.py").exists():
            shutil.copy(PROJECT / package / "__init__.py", project / package)
    return project


@pytest.fixture(scope="session")
def made(tmp_path_factory, links, here):
    """A bundle of that course for this machine, one file."""
    folder = tmp_path_factory.mktemp("made")
    project = write_toy(folder / "der Kurs é")
    with pytest.MonkeyPatch.context() as monkeypatch:
        leave_alone(monkeypatch, links)
        chapters = catalog.find(project / "notebooks")
        build.build(build.make_plan(folder / "room.zip", [here], chapters, torch="default", project=project))
    return folder / "room.zip"


@pytest.fixture(scope="session")
def here():
    """This machine as a target; skipped where there are no wheels of torch for it."""
    target = targets.here()
    if target.platform not in targets.PLATFORMS:
        pytest.skip(f"the course has no wheels for {target.words}")
    return target
