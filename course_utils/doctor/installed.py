"""Which of the packages that the course asks for are not there."""

import re
from importlib import metadata

OURS = "course-utils"


def missing() -> tuple[str, ...]:
    """Return the packages that the course asks for and are not installed; itself, where nobody installed it."""
    try:
        asked = metadata.requires(OURS) or []
    except metadata.PackageNotFoundError:
        return (OURS,)
    plain = [line for line in asked if ";" not in line]  # behind a semicolon: extras, and other systems' own
    return tuple(name for name in (re.match(r"[\w.-]+", line).group() for line in plain) if not _is_there(name))


def _is_there(name):
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True
