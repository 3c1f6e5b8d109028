"""Which of the packages that the course asks for are not there."""

import re
from importlib import metadata

from lessonkit.system.course import course


def missing() -> tuple[str, ...]:
    """Return the packages that the course asks for and are not installed; itself, where nobody installed it.

    Nothing is asked where course.toml names no distribution.
    soundfile counts as missing, with a word about it, where it came without the library that it is made of.
    """
    ours = course().distribution
    try:
        asked = (metadata.requires(ours) if ours else None) or []
    except metadata.PackageNotFoundError:
        return (ours,)
    plain = [line for line in asked if ";" not in line]  # behind a semicolon: extras, and other systems' own
    names = (re.match(r"[\w.-]+", line).group() for line in plain)
    return tuple(filter(None, (lacking(name) for name in names)))


def lacking(name: str) -> str:
    """Return what is missing of one package: its name, that of its library, or "" where all of it is there."""
    if not _is_there(name):
        return name
    if name == "soundfile":
        try:
            import soundfile  # noqa: F401 - its wheel for any system holds no libsndfile, and only importing tells
        except (ImportError, OSError):
            return "soundfile's library (libsndfile)"
    return ""


def _is_there(name):
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True
