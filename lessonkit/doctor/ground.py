"""What lies around the course on a machine, measured: path, letters, home, clock, a proxy."""

import codecs
import locale
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

from lessonkit.system.course import CourseError, hook
from lessonkit.system.place import HOME, PROJECT
from lessonkit.system.writable import why_not_writable

EDITION = datetime(2026, 1, 1, tzinfo=UTC)  # no clock that is right shows an earlier time
CACHE = Path("~/.cache")  # a file is tried where programs keep theirs: the folder above may be somebody else's


def measured() -> dict[str, object]:
    """Return the facts of this machine's ground, but for its proxy; takes some milliseconds."""
    return {
        "path": oddities(f"{PROJECT}{HOME}"),
        "case_counts": case_counts(Path(__file__)),
        "encoding": codecs.lookup(locale.getpreferredencoding(False)).name,
        "home_error": why_no_home(),
        "now": datetime.now().astimezone(),
    }


def oddities(path: str) -> tuple[str, ...]:
    """Return what a path holds that some programs stumble over, in words."""
    found = {"a space": " " in path, "letters beyond ASCII": not path.isascii()}
    return tuple(name for name, there in found.items() if there)


def case_counts(file: Path) -> bool:
    """Return whether the folder of an existing file tells `A` from `a`."""
    return not file.with_name(file.name.swapcase()).exists()


def why_no_home() -> str:
    """Return why nothing can be kept in this user's home, empty where it can."""
    try:
        return why_not_writable(CACHE.expanduser())
    except RuntimeError:  # no HOME, and the system knows no home of this user
        return "the system names none"


def proxy() -> dict[str, str | None]:
    """Return for which kinds of address a proxy is set, and why no data set can be had through it.

    Only where one is set something is sent: what `network` asks.
    """
    kinds = " and ".join(sorted(set(urllib.request.getproxies()) & {"http", "https", "all"}))
    if not kinds:
        return {}
    try:
        return {"proxy": kinds, "proxy_error": network()}
    except CourseError:  # the hook's module needs a package that is not there: another finding says so
        return {"proxy": kinds, "proxy_error": None}


def network() -> str | None:
    """Return why no data set can be downloaded, empty where a server answers; None for a course without data sets.

    Takes five seconds at most. Raises `CourseError` where the hook `data` cannot be imported.
    """
    data = hook("data")
    if data is None:
        return None
    try:
        return data.why_offline()
    except data.DataError as error:
        return str(error)
