"""Whether a folder can be written, found out by writing: modes and owners do not tell it on every system."""

import tempfile
from pathlib import Path


def why_not_writable(folder: Path) -> str:
    """Return why no file can be made in the folder, or in the one it would be made in; empty where one can."""
    try:
        tempfile.TemporaryFile(dir=nearest(folder)).close()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def nearest(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists. Raises OSError where that cannot be found out."""
    while not folder.exists():
        folder = folder.parent
    return folder
