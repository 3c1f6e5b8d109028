"""Which wheels a machine needs: the course's dependencies at their pinned versions, as uv resolves them."""

import os
import shutil
import subprocess
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from packaging import tags
from packaging.utils import parse_wheel_filename

from lessonkit.notebook.catalog import Refused
from lessonkit.system import pip_settings
from lessonkit.system.place import PROJECT
from lessonkit.system.private import without_secrets
from lessonkit.teach.bundle.targets import PLATFORMS, Target

PINS = {"default": "requirements.txt", "cpu": "requirements-cpu.txt"}
# Beside what pyproject.toml asks for: what installs (uv, setuptools), and pip, which every environment has.
INSTALLERS = ("pip", "setuptools", "uv")
MACOS = (14, 0)  # the oldest that the pinned torch has wheels for
_GLIBC = 28  # 2.28: Debian 10, Ubuntu 20.04, Red Hat 8


@dataclass(frozen=True)
class Wheel:
    """One file to fetch; `size` in bytes is None where the index does not tell."""

    package: str
    version: str
    url: str
    size: int | None
    sha256: str

    @property
    def name(self) -> str:
        """The file's name."""
        return unquote(urlsplit(self.url).path.rpartition("/")[2])

    @property
    def local(self) -> Path | None:
        """Where the file lies on this machine, for an index that is a folder; else None."""
        parts = urlsplit(self.url)
        return Path(url2pathname(parts.path)) if parts.scheme == "file" else None


def resolve(target: Target, settings: Mapping[str, str], *, torch: str, project: Path = PROJECT) -> list[Wheel]:
    """Return the wheels that a machine needs, asked of the index in pip's `settings`.

    Raises `Refused` where the index cannot be reached, or a package has no wheel for the machine.
    """
    variables, arguments = pip_settings.for_uv(settings, os.environ)
    with tempfile.TemporaryDirectory() as folder:
        more, lock = Path(folder) / "installers.in", Path(folder) / "pylock.toml"
        more.write_text("\n".join(INSTALLERS), encoding="utf-8")
        backend = ["--torch-backend=cpu"] if torch == "cpu" and target.platform.startswith("linux") else []
        command = [_uv(), "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--no-progress"]
        command += [*arguments, *backend, "--only-binary=:all:", "--python-version", target.python]
        command += ["--python-platform", PLATFORMS[target.platform][1], "--format=pylock.toml"]
        command += ["--constraints", str(project / PINS[torch]), "--output-file", str(lock)]
        version = {"MACOSX_DEPLOYMENT_TARGET": ".".join(map(str, MACOS))}  # uv's own oldest one is older
        ran = subprocess.run(
            [*command, str(project / "pyproject.toml"), str(more)],
            env={**os.environ, **variables, **version},
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        if ran.returncode:
            reason = without_secrets(ran.stderr.strip()) or f"exit status {ran.returncode}"
            raise Refused(f"no set of wheels for {target.words}; uv says:\n{reason}")
        packages = tomllib.loads(lock.read_text(encoding="utf-8"))["packages"]
    return [_best(package, target) for package in packages]


def _uv() -> str:
    """Return uv's program: the one beside this Python, else of the path."""
    found = shutil.which("uv", path=sysconfig.get_path("scripts")) or shutil.which("uv")
    if found is None:
        raise Refused("uv is not installed, which finds the wheels: run `make setup`, or `pip install uv`")
    return found


def _best(package: Mapping, target: Target) -> Wheel:
    """Return the wheel that fits a target best, as an installer would choose."""
    ranks = {tag: rank for rank, tag in enumerate(tags_of(target))}
    fitting = []
    for wheel in package.get("wheels", ()):
        url = wheel.get("url") or Path(wheel["path"]).resolve().as_uri()
        sha256 = wheel.get("hashes", {}).get("sha256")
        if sha256 is None:
            raise Refused(
                f"the index tells no SHA-256 of {without_secrets(url)}, by which a damaged file would be noticed"
            )
        one = Wheel(package["name"], package["version"], url, wheel.get("size"), sha256)
        rank = min((ranks[tag] for tag in parse_wheel_filename(one.name)[3] if tag in ranks), default=None)
        if rank is not None:
            fitting.append((rank, one.name, one))
    if not fitting:
        raise Refused(f"{package['name']} {package['version']} has no wheel for {target.words}")
    return min(fitting)[2]


def tags_of(target: Target) -> Iterator[tags.Tag]:
    """Return the tags of wheels that run on a target, the most specific first."""
    version = tuple(int(part) for part in target.python.split("."))
    platforms = list(_platforms(target.platform))
    yield from tags.cpython_tags(version, [f"cp{version[0]}{version[1]}"], platforms)
    yield from tags.compatible_tags(version, f"cp{version[0]}{version[1]}", platforms)


def _platforms(name: str) -> Iterator[str]:
    """Return what stands for a platform at the end of a wheel's name, the most specific first."""
    if name == "windows":
        yield "win_amd64"
    elif name == "macos":
        yield from tags.mac_platforms(MACOS, "arm64")
    else:
        machine = "x86_64" if name == "linux" else "aarch64"
        old = {17: "manylinux2014", 12: "manylinux2010", 5: "manylinux1"}
        for minor in range(_GLIBC, 4, -1):
            yield f"manylinux_2_{minor}_{machine}"
            if minor in old:
                yield f"{old[minor]}_{machine}"
        yield f"linux_{machine}"
