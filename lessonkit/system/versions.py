"""Look up the versions of installed packages for reports, without importing them."""

import contextlib
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path


def versions(*packages: str) -> dict[str, str]:
    """Return the versions of those `packages` that are installed; "python" is one too.

    Of torch its own version.py counts, which names the build ("2.14.1+cu130"); its metadata say 2.14.1.
    """
    found = {}
    for package in filter(None, packages):  # a course need not be a distribution
        if package == "python":
            found[package] = platform.python_version()
        else:
            with contextlib.suppress(PackageNotFoundError):
                found[package] = _with_build(version(package)) if package == "torch" else version(package)
    return found


def _with_build(release: str) -> str:
    spec = find_spec("torch")
    file = Path(spec.origin).with_name("version.py") if spec and spec.origin else None
    text = file.read_text(encoding="utf-8") if file and file.is_file() else ""
    own = re.search(rf"^__version__ = ['\"]({re.escape(release)}\+[\w.]+)['\"]", text, re.MULTILINE)
    return own[1] if own else release
