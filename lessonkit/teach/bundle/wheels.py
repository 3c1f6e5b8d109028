"""The wheels of a target: uv resolves the course's dependencies at their pinned versions, pip downloads them.

uv can resolve for another platform, and lists files with sizes and hashes; pip evaluates the markers of the Python
that it runs on. pip compares each file with the hash that uv has listed (`--require-hashes`).
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from packaging import tags
from packaging.utils import parse_wheel_filename

from lessonkit.system import disk, pip_settings
from lessonkit.system.errors import Refused
from lessonkit.system.place import PROJECT
from lessonkit.system.redact import without_secrets
from lessonkit.teach.bundle.targets import PLATFORMS, Target

PINS = {"default": "requirements.txt", "cpu": "requirements-cpu.txt"}
CPU_INDEX = "https://download.pytorch.org/whl/cpu"  # uv knows it as --torch-backend=cpu
INSTALLERS = "pip\nsetuptools\n"  # pip installs on the learner's machine, setuptools builds the course itself
TOGETHER = 50_000_000  # bytes of one call of pip, which keeps nothing if it is interrupted
OLDEST_MACOS = "14.0"  # the pinned torch has no wheels for older ones


class Package(NamedTuple):
    """A pinned package and the name of the wheel that fits a target best."""

    name: str
    version: str
    file: str
    sha256: str
    size: int | None  # in bytes; None where the index does not state it

    @property
    def line(self) -> str:
        """The line of a requirements file for pip."""
        return f"{self.name}=={self.version} --hash=sha256:{self.sha256}\n"


def resolve(target: Target, *, torch: str, project: Path = PROJECT) -> list[Package]:
    """Return the packages that a machine needs, as the index that pip is configured with offers them.

    Raises `Refused` where the index cannot be reached, or a package has no wheel for the target.
    """
    variables, arguments = pip_settings.for_uv(pip_settings.of_pip(sys.executable, os.environ), os.environ)
    uv = shutil.which("uv", path=sysconfig.get_path("scripts")) or shutil.which("uv")
    if uv is None:
        raise Refused("uv, which finds the wheels, is not installed: run `make setup`, or `pip install uv`")
    with tempfile.TemporaryDirectory() as folder:
        more, lock = Path(folder) / "installers.in", Path(folder) / "pylock.toml"
        more.write_text(INSTALLERS, encoding="utf-8")
        command = [uv, "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--no-progress", *arguments]
        command += ["--torch-backend=cpu"] if needs_cpu_index(target, torch) else []
        command += ["--only-binary=:all:", "--python-version", target.python]
        command += ["--python-platform", PLATFORMS[target.platform].of_uv, "--format=pylock.toml"]
        command += ["--constraints", str(project / PINS[torch]), "--output-file", str(lock)]
        environment = {**os.environ, **variables, "MACOSX_DEPLOYMENT_TARGET": OLDEST_MACOS}
        _run([*command, str(project / "pyproject.toml"), str(more)], environment, f"uv for {target.words}")
        packages = tomllib.loads(lock.read_text(encoding="utf-8"))["packages"]
    return [_package(one, target) for one in packages]


def needs_cpu_index(target: Target, torch: str) -> bool:
    """Return whether torch comes from PyTorch's own index."""
    return torch == "cpu" and target.platform.startswith("linux")


def _package(entry: Mapping[str, Any], target: Target) -> Package:
    """Return a package of uv's lock with the one of its wheels that an installer prefers."""
    urls = {}
    for wheel in entry.get("wheels", ()):
        url = urlsplit(wheel.get("url") or Path(wheel["path"]).resolve().as_uri())
        urls[unquote(url.path.rpartition("/")[2])] = url, wheel
    if not urls:
        raise Refused(f"{entry['name']} {entry['version']} has no wheel for {target.words}")
    version = [int(part) for part in target.python.split(".")]
    platforms = sorted(_platforms(urls), key=lambda name: list(map(int, re.findall(r"\d+", name))), reverse=True)
    order = [*tags.cpython_tags(version, platforms=platforms), *tags.compatible_tags(version, platforms=platforms)]
    ranks = {name: [order.index(tag) for tag in parse_wheel_filename(name)[3] if tag in order] for name in urls}
    file = min(urls, key=lambda name: min(ranks[name], default=len(order)))
    url, wheel = urls[file]
    if "sha256" not in wheel.get("hashes", {}):
        raise Refused(f"the index states no SHA-256 of {file}, so damage would go unnoticed")
    local = Path(url2pathname(url.path)).stat().st_size if url.scheme == "file" else None
    return Package(entry["name"], entry["version"], file, wheel["hashes"]["sha256"], wheel.get("size", local))


def _platforms(files: Iterable[str]) -> set[str]:
    """Return what stands for platforms at the end of wheels' names, such as `manylinux_2_28_x86_64`."""
    return {tag.platform for file in files for tag in parse_wheel_filename(file)[3]} - {"any"}


def download(
    packages: Sequence[Package], target: Target, folder: Path, *, parts: Path, torch: str, tell: Callable = print
) -> None:
    """Bring the wheels that are missing into `folder`; a wheel gets its name there when it is whole.

    `parts`: a folder of the same disk, where pip works. Raises `Refused` with pip's own words.
    """
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-cache-dir"]
    command += ["--no-deps", "--require-hashes", "--only-binary=:all:", "--implementation", "cp"]
    platforms = sorted(_platforms(package.file for package in packages))
    command += ["--python-version", target.python, *(f"--platform={one}" for one in platforms)]
    command += ["--extra-index-url", CPU_INDEX] if needs_cpu_index(target, torch) else []
    for group in groups([package for package in packages if not (folder / package.file).exists()]):
        some = f" and {len(group) - 1} more" if len(group) > 1 else ""
        tell(f"Downloading {group[-1].name} {group[-1].version}{some} …")
        with tempfile.TemporaryDirectory(dir=parts, ignore_cleanup_errors=True) as temporary:
            lines, dest = Path(temporary) / "requirements.txt", Path(temporary) / "dest"
            lines.write_text("".join(package.line for package in group), encoding="utf-8")
            arguments = [*command, "--dest", str(dest), "--requirement", str(lines)]
            _run(arguments, {**os.environ, "TMPDIR": temporary, "TEMP": temporary}, "pip")
            for path in dest.iterdir():
                path.replace(folder / path.name)


def groups(packages: Sequence[Package]) -> Iterator[list[Package]]:
    """Yield the packages, small ones first, in groups of at most TOGETHER bytes, or of one package."""
    group, size = [], 0
    for package in sorted(packages, key=lambda one: one.size or 0):
        if group and size + (package.size or TOGETHER) > TOGETHER:
            yield group
            group, size = [], 0
        group.append(package)
        size += package.size or TOGETHER
    if group:
        yield group


def _run(command, environment, who):
    """Run a command. Where it fails raise `Refused` with its errors, or OSError where it has met a full disk."""
    ran = subprocess.run(
        command, env=environment, stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace"
    )
    if ran.returncode:
        if full := next((code for code in disk.FULL if f"[Errno {code}]" in ran.stderr), None):
            raise OSError(full, os.strerror(full))
        reason = without_secrets(ran.stderr.strip()) or f"exit status {ran.returncode}"
        raise Refused(f"the wheels are not to be had; {who} says:\n{reason}")
