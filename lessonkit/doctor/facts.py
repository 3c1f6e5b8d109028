"""What the doctor looks at: plain values measured here, so that a test can imitate any machine."""

import platform
import shutil
import sys
import webbrowser
from dataclasses import dataclass, field
from datetime import datetime

import psutil

from lessonkit.doctor import ground
from lessonkit.doctor.installed import missing
from lessonkit.system import limits
from lessonkit.system.course import hook
from lessonkit.system.finding import Found
from lessonkit.system.loopback import why_no_loopback
from lessonkit.system.place import HOME
from lessonkit.system.writable import nearest, why_not_writable

FOLDERS = ("notebooks", "results", "build", "data/cache")


@dataclass(frozen=True, kw_only=True)
class Facts:
    """One machine. Sizes are in bytes; a text under `…_error` is why something failed, empty where it did not."""

    system: str
    python: tuple[int, int, int]
    processor: str = ""  # its kind, "x86_64"
    missing: tuple[str, ...] = ()  # packages that the course asks for
    work_seconds: float | None = None  # of the hook `machine`; None where it could not be measured
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
    now: datetime = ground.EDITION
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
        work_seconds=work_seconds(course.lacks),
        memory_free=free,
        memory_total=memory.total,
        shared_memory_free=limits.shared_memory(),
        disk_free=shutil.disk_usage(nearest(HOME)).free,
        folders={name: why_not_writable(HOME / name) for name in FOLDERS},
        loopback_error=why_no_loopback(),
        browser=browser(),
        course=course,
        **ground.measured(),
        **ground.proxy(),
    )


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
