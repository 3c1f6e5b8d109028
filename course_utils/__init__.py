"""What the notebooks of the course import, and nothing else; every module is imported by its own name."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CONTENT = _PACKAGE / "content"  # setup.py puts it into a wheel; a clone has none

# What the course brings: notebooks, samples, recorded figures, scripts. In a clone this is the clone's folder.
PROJECT = _CONTENT if _CONTENT.is_dir() else _PACKAGE.parent
