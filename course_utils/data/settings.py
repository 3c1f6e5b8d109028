"""The settings COURSE_DATA, COURSE_OFFLINE and COURSE_MIRROR, and the project's own folders of data."""

import os
from pathlib import Path
from urllib.parse import urlsplit

from course_utils import PROJECT
from course_utils.data.errors import DataError
from lessonkit.system.place import HOME
from lessonkit.system.redact import without_secrets

CACHE = HOME / "data" / "cache"
SAMPLES = PROJECT / "data" / "samples"


def course_data() -> Path | None:
    """Return the folder COURSE_DATA names, or None where it is unset.

    A relative path is looked for in the working directory, then in the project. Raise `DataError` where there is no
    such folder.
    """
    value = os.environ.get("COURSE_DATA", "").strip()
    if not value:
        return None
    named = Path(value).expanduser()
    candidates = [named] if named.is_absolute() else [Path.cwd() / named, HOME / named]
    for candidate in candidates:
        if candidate.is_dir():
            return candidate.resolve()
    looked = " and ".join(str(candidate) for candidate in candidates)
    raise DataError(
        f"COURSE_DATA={value} is not a folder: looked at {looked}; correct the variable, or unset it to use the "
        "project's own data."
    )


def offline() -> bool:
    """Return whether COURSE_OFFLINE forbids a download."""
    return os.environ.get("COURSE_OFFLINE", "").strip().lower() in {"1", "true", "yes", "on"}


def course_mirror() -> str | None:
    """Return the address COURSE_MIRROR names, without a slash at its end, or None where it is unset.

    Raise `DataError` for what is no web address.
    """
    value = os.environ.get("COURSE_MIRROR", "").strip()
    if not value:
        return None
    if urlsplit(value).scheme not in {"http", "https"}:
        raise DataError(
            f"COURSE_MIRROR={without_secrets(value)} is not a web address: expected one that begins with http:// "
            "or https://; correct the variable or unset it."
        )
    return value.rstrip("/")
