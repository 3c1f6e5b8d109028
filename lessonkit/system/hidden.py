"""Which files and folders a system or a program keeps for itself: no reader takes them for data or for work.

macOS writes `._name` beside each file on a memory stick that Windows can read too, and `__MACOSX` into zips.
Windows writes `Thumbs.db` and `desktop.ini`, Jupyter `.ipynb_checkpoints`, Python `__pycache__`, Office `~$name`.
"""

from pathlib import Path

_STARTS = (".", "__macosx", "~$")
_NAMES = frozenset(
    (
        *("thumbs.db", "ehthumbs.db", "desktop.ini", "$recycle.bin", "system volume information", "icon\r"),
        *("__pycache__", "node_modules"),
    )
)


def is_hidden(name: str) -> bool:
    """Return whether a file or folder of this name is a system's or program's own, whatever its case.

    Example: `is_hidden("._0_george_0.wav")` is True.
    """
    small = name.lower()
    return small.startswith(_STARTS) or small in _NAMES


def is_visible(path: Path, *, below: Path) -> bool:
    """Return whether neither the file nor a folder between it and `below` is hidden; `below` itself may be."""
    return not any(is_hidden(part) for part in path.relative_to(below).parts)
