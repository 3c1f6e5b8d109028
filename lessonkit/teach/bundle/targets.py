"""The machines of a bundle: a system with its processor, and a version of Python. Standard library only."""

import platform
import sys
from typing import NamedTuple

# The folder in the archive, and in a learner's home: short, as Windows counts the characters of a path.
FOLDER = "pytorch-course"
PYTHONS = ("3.11", "3.12", "3.13")


class Platform(NamedTuple):
    """A system with its processor: what it calls itself, and what uv and people call it."""

    own: tuple[str, str]
    of_uv: str
    words: str


PLATFORMS = {
    "linux": Platform(("Linux", "x86_64"), "x86_64-manylinux_2_28", "Linux (Intel, AMD)"),
    "linux-arm": Platform(("Linux", "aarch64"), "aarch64-manylinux_2_28", "Linux (ARM)"),
    "macos": Platform(("Darwin", "arm64"), "aarch64-apple-darwin", "macOS 14 or newer (Apple's own processors)"),
    "windows": Platform(("Windows", "AMD64"), "x86_64-pc-windows-msvc", "Windows (Intel, AMD)"),
}


class Target(NamedTuple):
    """One kind of machine, such as `linux-3.11`."""

    platform: str
    python: str

    def __str__(self) -> str:
        return f"{self.platform}-{self.python}"

    @property
    def words(self) -> str:
        """The kind of machine as people read it."""
        known = PLATFORMS.get(self.platform)
        return f"{known.words if known else self.platform}, Python {self.python}"


def read(name: str) -> Target:
    """Return the target of a name, `linux-3.11`."""
    return Target(*name.rsplit("-", 1))


def here() -> Target:
    """Return the target of this machine and this Python; of an unknown machine by its own words."""
    own = platform.system(), platform.machine()
    name = next((name for name, known in PLATFORMS.items() if known.own == own), " ".join(own))
    return Target(name, f"{sys.version_info.major}.{sys.version_info.minor}")
