"""A course of three files, an index of a few tiny wheels, and what is needed to make and start bundles of it."""

import base64
import functools
import hashlib
import json
import shutil
import sysconfig
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from course_utils import PROJECT
from lessonkit.notebook import catalog
from lessonkit.teach.bundle import build, plan, targets

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


@pytest.fixture(scope="session")
def uv_program():
    """uv itself, which the bundles of these tests carry and install with."""
    found = shutil.which("uv", path=sysconfig.get_path("scripts")) or shutil.which("uv")
    if found is None:
        pytest.skip("uv is not installed, which resolves the wheels of a bundle")
    return Path(found)


@pytest.fixture(scope="session")
def links(tmp_path_factory, uv_program):
    """A folder of wheels, as `pip --find-links` reads it."""
    folder = tmp_path_factory.mktemp("links")
    wheel(folder, "alpha", "1.0", needs=["gamma"])
    wheel(folder, "alpha", "2.0", needs=["gamma"])
    wheel(folder, "beta", "0.5")
    wheel(folder, "gamma", "3.1", tag="cp311-cp311-win_amd64")
    wheel(folder, "gamma", "3.1", files={"gamma/__init__.py": "", "gamma/large.bin": bytes(300_000)})
    for name in ("pip", "setuptools"):
        wheel(folder, name, "99", files={})
    program = {f"uv-99.data/scripts/{uv_program.name}": uv_program.read_bytes()}
    wheel(folder, "uv", "99", files=program)
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
    shutil.copy(PROJECT / "course_utils" / "__init__.py", project / "course_utils")
    shutil.copytree(
        PROJECT / "lessonkit" / "teach" / "bundle", project / "lessonkit" / "teach" / "bundle", dirs_exist_ok=True
    )
    (project / "lessonkit" / "system").mkdir()
    for name in ("__init__", "plain_file"):  # what the bundle's own start needs, of the standard library only
        shutil.copy(PROJECT / "lessonkit" / "system" / f"{name}.py", project / "lessonkit" / "system")
    return project


@pytest.fixture(scope="session")
def made(tmp_path_factory, links, here):
    """A bundle of that course for this machine, one file."""
    folder = tmp_path_factory.mktemp("made")
    project = write_toy(folder / "der Kurs é")
    with pytest.MonkeyPatch.context() as monkeypatch:
        leave_alone(monkeypatch, links)
        chapters = catalog.find(project / "notebooks")
        build.build(plan.make(folder / "room.zip", [here], chapters, torch="default", project=project), print)
    return folder / "room.zip"


@pytest.fixture(scope="session")
def here():
    """This machine as a target; skipped where there are no wheels of torch for it."""
    target = targets.here()
    if target.platform not in targets.PLATFORMS:
        pytest.skip(f"the course has no wheels for {target.words}")
    return target


class Server(ThreadingHTTPServer):
    """Serves files at their names; `cut` ends answers after so many bytes, `slow` waits after every 4 KB."""

    def __init__(self, files, *, knows_range=True, cut=None, slow=0.0, status=200):
        super().__init__(("127.0.0.1", 0), functools.partial(Handler))
        self.files, self.knows_range, self.cut, self.slow, self.status = files, knows_range, cut or [], slow, status
        self.asked, self.over = [], threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def stop(self):
        self.over.set()
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.do_GET(body=False)

    def do_GET(self, *, body=True):
        server = self.server
        asked = self.headers.get("Range")
        server.asked.append((self.command, asked, self.headers.get("Authorization")))
        content = server.files.get(self.path.strip("/"))
        if content is None or server.status != 200:
            self.send_error(404 if content is None else server.status)
            return
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and server.knows_range else 0
        if start and start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        if not body:
            return
        end = start + server.cut.pop(0) if server.cut else len(content)
        try:
            for at in range(start, min(end, len(content)), 4096):
                self.wfile.write(content[at : min(at + 4096, end)])
                server.over.wait(server.slow)
        except OSError:
            return  # the other side was ended, as a test wants it

    def log_message(self, *_):
        pass


@pytest.fixture
def serve():
    """A function that starts a `Server`; all are stopped at the end."""
    servers = []

    def start(files, **how):
        servers.append(Server(files, **how))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
