"""What lies around the course on a machine, measured: path, letters, home, clock, programs, a proxy."""

import codecs
import locale
import os
import shutil
import sys
import urllib.request
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from lessonkit.system.place import HOME, PROJECT
from lessonkit.system.writable import why_not_writable

COMPILER = {"darwin": "clang++", "win32": "cl"}.get(sys.platform, "g++")  # what torch.compile calls for a CPU
EDITION = datetime(2026, 1, 1, tzinfo=UTC)  # no clock that is right shows an earlier time
CACHE = Path("~/.cache")  # a file is tried where programs keep theirs: the folder above may be somebody else's


def measured() -> dict[str, object]:
    """Return the facts of this machine's ground that need no torch; takes some milliseconds."""
    return {
        "path": oddities(f"{PROJECT}{HOME}"),
        "case_counts": case_counts(Path(__file__)),
        "encoding": codecs.lookup(locale.getpreferredencoding(False)).name,
        "home_error": why_no_home(),
        "now": datetime.now().astimezone(),
        "git": shutil.which("git") is not None,
        "compiler": compiler(os.environ),
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


def compiler(environment: Mapping[str, str]) -> str | None:
    """Return the C++ compiler that `torch.compile` would call for a CPU, None where it is not on the path."""
    name = environment.get("CXX") or COMPILER
    return name if shutil.which(name.split()[0]) else None


def proxy() -> dict[str, str]:
    """Return for which kinds of address a proxy is set, and why no data set can be had through it.

    Only where one is set something is sent: a question to the servers of a data set, of five seconds at most.
    """
    kinds = " and ".join(sorted(set(urllib.request.getproxies()) & {"http", "https", "all"}))
    if not kinds:
        return {}
    from course_utils import datasets  # imports torch

    try:
        return {"proxy": kinds, "proxy_error": datasets.why_offline()}
    except datasets.DataError as error:
        return {"proxy": kinds, "proxy_error": str(error)}
