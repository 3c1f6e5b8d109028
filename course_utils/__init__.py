"""Modules that the notebooks of the course import, each under its own name."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CONTENT = _PACKAGE / "content"  # setup.py puts it into a wheel; a clone has none

# The folder of notebooks, samples, recorded figures and scripts. In a clone this is the clone's folder.
PROJECT = _CONTENT if _CONTENT.is_dir() else _PACKAGE.parent
