"""Measure a machine: the plain values that the doctor judges, so that a test can imitate any machine."""

import codecs
import importlib.util
import locale
import platform
import re
import shutil
import sys
import time
import urllib.request
import webbrowser
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import psutil

from lessonkit.system import limits
from lessonkit.system.course import CourseError, course, hook
from lessonkit.system.disk import nearest, why_not_writable
from lessonkit.system.finding import Found
from lessonkit.system.loopback import why_no_loopback
from lessonkit.system.place import HOME, PROJECT

FOLDERS = (course().notebooks, "work", "build", "data/cache")  # in which the course writes
EDITION = datetime(2026, 1, 1, tzinfo=UTC)  # no clock that is right shows an earlier time
CACHE = Path("~/.cache")  # a file is tried where programs keep theirs: the folder above may be somebody else's


@dataclass(frozen=True, kw_only=True)
class Facts:
    """One machine. Sizes are in bytes; a text under `…_error` is why something failed, empty where it did not."""

    system: str
    python: tuple[int, int, int]
    processor: str = ""  # its kind, "x86_64"
    missing: tuple[str, ...] = ()  # packages that the course asks for
    listens: bool = True  # whether a listener is registered, without which no check is noted
    work_seconds: float | None = None  # of the hook `machine`; None where it could not be measured
    uncompiled: tuple[int, int, float] = (0, 0, 0.0)  # modules without bytecode, of how many, their seconds
    memory_free: int = 0
    memory_total: int = 0
    shared_memory_free: int | None = None  # None where the system has no /dev/shm by design
    disk_free: int = 0
    folders: dict[str, str] = field(default_factory=dict)  # folder -> why nothing can be written there, or ""
    loopback_error: str = ""
    browser: str | None = None
    path: tuple[str, ...] = ()  # what is odd in the course's path, in words
    case_counts: bool = True  # whether `A` and `a` are two names where the course lies
    encoding: str = "utf-8"  # of text, where a program names none
    home_error: str = ""
    now: datetime = EDITION
    proxy: str = ""  # kinds of address it is set for, "http and https"
    proxy_error: str | None = ""  # why no data comes through it; None where no server could be asked
    course: Found = field(default_factory=Found)  # what the course itself says of the machine


def gather() -> Facts:
    """Return the facts of this machine; takes some seconds, most of them for the course's hooks."""
    memory = psutil.virtual_memory()
    free = min(memory.available, limits.memory_limit())  # before a hook takes some of it
    examined = hook("findings")
    course = examined() if examined else Found()
    return Facts(
        system=platform.system(),
        python=sys.version_info[:3],
        processor=platform.machine(),
        missing=missing(),
        listens=bool(metadata.entry_points(group="lessonkit.listeners")),
        work_seconds=work_seconds(course.lacks),
        memory_free=free,
        memory_total=memory.total,
        shared_memory_free=limits.shared_memory(),
        disk_free=shutil.disk_usage(nearest(HOME)).free,
        folders={name: why_not_writable(HOME / name) for name in FOLDERS},
        loopback_error=why_no_loopback(),
        browser=browser(),
        course=course,
        uncompiled=uncompiled(),
        **measured(),
        **proxy(),
    )


def uncompiled() -> tuple[int, int, float]:
    """Return of how many imported modules no bytecode is kept, of how many, and the seconds to compile them again.

    The hooks have imported the large libraries by then. The seconds are those of every twentieth module, times 20.
    """
    files = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    sources = sorted(file for file in files if file.endswith(".py") and Path(file).is_file())
    missing = [file for file in sources if not Path(importlib.util.cache_from_source(file)).exists()]
    began = time.perf_counter()
    for file in missing[::20]:
        compile(Path(file).read_bytes(), file, "exec")
    return len(missing), len(sources), 20 * (time.perf_counter() - began)


def work_seconds(lacks: str) -> float | None:
    """Return what the hook `machine` measures; None without such a hook, or where the course `lacks` a package."""
    machine = hook("machine")
    return None if machine is None or lacks else machine.work_seconds(repeats=30)


def browser() -> str | None:
    """Return the name of the browser that would be opened, None where there is none."""
    try:
        return getattr(webbrowser.get(), "name", "default")
    except webbrowser.Error:
        return None


def missing() -> tuple[str, ...]:
    """Return the packages that the course requires and that are not installed; the course itself if it is not.

    Empty if course.toml names no distribution.
    soundfile counts as missing, by the name of its library, if it was installed without libsndfile.
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


def measured() -> dict[str, object]:
    """Return the facts about path, text encoding, home and clock; takes some milliseconds."""
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
    """Return whether the folder of an existing file distinguishes `A` from `a`."""
    return not file.with_name(file.name.swapcase()).exists()


def why_no_home() -> str:
    """Return why nothing can be kept in this user's home, empty where it can."""
    try:
        return why_not_writable(CACHE.expanduser())
    except RuntimeError:  # no HOME, and the system knows no home of this user
        return "the system names none"


def proxy() -> dict[str, str | None]:
    """Return for which kinds of address a proxy is set, and why no data set can be had through it.

    Only where one is set something is sent: the request of `why_no_download`.
    """
    kinds = " and ".join(sorted(set(urllib.request.getproxies()) & {"http", "https", "all"}))
    if not kinds:
        return {}
    try:
        return {"proxy": kinds, "proxy_error": why_no_download()}
    except CourseError:  # the hook's module needs a package that is not there: another finding says so
        return {"proxy": kinds, "proxy_error": None}


def why_no_download() -> str | None:
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
