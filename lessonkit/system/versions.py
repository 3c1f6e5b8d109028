"""The versions of installed packages, for reports."""

import contextlib
import platform
from importlib.metadata import PackageNotFoundError, version


def versions(*packages: str) -> dict[str, str]:
    """Return the versions of those `packages` that are installed; "python" is one too.

    torch's own word counts, which names its build ("2.14.1+cu130"); the others are not imported.
    """
    found = {}
    for package in packages:
        if package == "python":
            found[package] = platform.python_version()
        elif package == "torch":
            import torch

            found[package] = str(torch.__version__)
        else:
            with contextlib.suppress(PackageNotFoundError):
                found[package] = version(package)
    return found
