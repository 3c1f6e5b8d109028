"""Odd grounds to run the course on: what the doctor says of each, and how each is made here.

`python tests/helpers/grounds.py` writes docs/grounds.md; a test holds its sentences to the doctor's present words.
A ground that this system cannot make is skipped, with the reason.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import uuid
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from places import DRIVE, read_only

from course_utils import PROJECT
from course_utils.chapters.doctor.facts import Machine
from course_utils.chapters.doctor.findings import examined
from course_utils.data.download import PAGES
from lessonkit.doctor.facts import Facts
from lessonkit.doctor.findings import examine
from lessonkit.runner.environment import usable_cores

DOCS = PROJECT / "docs" / "grounds.md"
GIB = 1 << 30
LIMIT = 3600  # seconds, which only end what hangs: a busy machine took minutes for a second of computing
USUAL = Facts(
    system="Linux",
    python=(3, 11, 7),
    work_seconds=0.02,
    memory_free=8 * GIB,
    shared_memory_free=4 * GIB,
    disk_free=50 * GIB,
    folders={"results": ""},
    browser="firefox",
)
USUAL_MACHINE = Machine(
    system="Linux",
    torch="2.14.1",
    torchvision="0.29.1",
    cores=2,
    threads=2,
    cpu_capability="AVX2",
    bf16_in_hardware=True,
)
COPIED = ("course_utils", "lessonkit")  # by `copied`, so that the copy is the folder that Python imports from
IN_2038 = datetime(2038, 1, 20, 12, tzinfo=UTC)  # a day after the last second that 32 bits can count
BEFORE_SUMMER = datetime(2027, 3, 28, 0, 59, 50, tzinfo=UTC)  # ten seconds before Berlin skips an hour
COMPILERS = re.compile(r"(.*-)?(g\+\+|gcc|cc|c\+\+|clang|clang\+\+|c89|c99)(-[\d.]+)?")
PAGE = b"<!DOCTYPE html><html><title>Log in</title><p>Please log in to this network.</p></html>"


@dataclass(frozen=True)
class Ground:
    """One kind of machine: what the doctor is told of it, which of its findings is meant, and what is run there."""

    name: str
    finding: str
    facts: dict[str, object]
    tried: str


SMALL = "a small chapter passes"
GROUNDS = {
    "odd folder": Ground(
        "a folder with a space and é",
        "course folder",
        {"path": ("a space", "letters beyond ASCII")},
        f"{SMALL}; `torch.compile` with packages in that folder compiles",
    ),
    "LANG=C": Ground(
        "`LC_ALL=C`, Python's UTF-8 mode forbidden",
        "text",
        {"encoding": "ascii"},
        f"{SMALL}; only a file of your own with é in its name ends in Python's UnicodeEncodeError",
    ),
    "home": Ground(
        "a home that cannot be written", "home", {"home_error": "Permission denied"}, f"{SMALL}; JupyterLab answers"
    ),
    "one core": Ground("one core", "threads", {"cores": 1, "threads": 1}, SMALL),
    "one thread": Ground("one thread", "threads", {"threads": 1}, SMALL),
    "2 GiB": Ground("2 GiB of memory", "memory", {"memory_free": 17 * GIB // 10}, f"{SMALL}, under that limit"),
    "/dev/shm": Ground(
        "`/dev/shm` of 64 MiB",
        "/dev/shm",
        {"shared_memory_free": 64 << 20},
        f"{SMALL}; batches beyond it end with an error that `course diagnose` knows",
    ),
    "2038": Ground("a clock in 2038", "clock", {"now": IN_2038}, SMALL),
    "no git": Ground("no git", "programs", {"git": False}, SMALL),
    "no compiler": Ground(
        "no C++ compiler", "programs", {"compiler": None}, f"{SMALL}; `torch.compile` names what is missing"
    ),
    "IPv6": Ground(
        "IPv6 only",
        "ports",
        {"loopback_error": "Cannot assign requested address"},
        "`course run` and `course lab` refuse in a sentence before anything starts; `course classroom` does, "
        "and opens at `--address ::1`",
    ),
    "proxy": Ground(
        "a proxy that answers with HTML",
        "proxy",
        {"proxy": "http and https", "proxy_error": f"{PAGES[1]} came from a download server's address"},
        f"a download says what came and keeps nothing of it; {SMALL}",
    ),
    "time zone": Ground(
        "another time zone",
        "clock",
        {"now": datetime(2026, 11, 23, 9, 30, tzinfo=timezone(timedelta(hours=14)))},
        f"{SMALL} while summer time begins",
    ),
    "case": Ground(
        "names that differ only in case are one",
        "course folder",
        {"case_counts": False},
        f"imitated, by a folder where each module is found in both cases: {SMALL}; no two files, no import and no "
        "link of the course differ only in case",
    ),
}


def said(findings: list[tuple], name: str) -> str:
    """The doctor's sentence of that name: state, what it found, what to do."""
    (finding,) = [one for one in findings if one[0] == name]
    _, state, found, fix = finding
    return f"*{state}*, {name}: {found}" + (f". {fix}" if state != "ok" else "")


def sentence(ground: Ground) -> str:
    """What the doctor says of a usual machine on that ground."""
    names = {one.name for one in fields(Machine)}
    of_course = {name: value for name, value in ground.facts.items() if name in names}
    of_engine = {name: value for name, value in ground.facts.items() if name not in names}
    course = examined(replace(USUAL_MACHINE, **of_course))
    return said(examine(replace(USUAL, course=course, **of_engine)), ground.finding)


def shape(text: str) -> str:
    """A sentence without its figures, by which two machines' are compared."""
    return re.sub(r"\d+(\.\d+)?", "#", text)


HEAD = """# Odd grounds

On some machines something usual is missing or odd. This page shows what `course doctor` says there, before a
notebook does, and what tests run there on Linux (`tests/faults/test_grounds.py`; `make soak` runs all of it). The
sentences are the doctor's own, with figures of one machine; `python tests/helpers/grounds.py` writes this page.
A small chapter has a figure, a save, a DataLoader's workers and two ranks. Both columns were seen, each on its
ground, on 2026-11-23.

| ground | `course doctor` | what runs there |
| --- | --- | --- |
"""


def page(heard: dict[str, str] | None = None) -> str:
    """docs/grounds.md; with `heard`, {name: sentence}, what the doctor said where the grounds were made."""
    told = {name: sentence(one) for name, one in GROUNDS.items()} if heard is None else heard
    rows = [f"| {one.name} | {told[name]} | {one.tried} |\n" for name, one in GROUNDS.items() if name in told]
    return HEAD + "".join(rows)


@dataclass(frozen=True)
class Here:
    """A ground that has been made: how a command is begun in it, and where the course lies."""

    before: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    folder: Path = PROJECT
    python: str = sys.executable

    def run(self, *words, **more) -> subprocess.CompletedProcess:
        """Run this Python there with those arguments; its output as text."""
        return subprocess.run(
            [*self.before, self.python, *map(str, words)],
            cwd=self.folder,
            env=self.environment(**more),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=LIMIT,
        )

    def environment(self, **more) -> dict[str, str]:
        """The environment there: nothing that this machine or a test before has set for the course."""
        ours = re.compile(r"COURSE_.*|PYTHON.*|.*_proxy|LC_.*|OMP_NUM_THREADS|MPLBACKEND|TZ|CXX|CC", re.IGNORECASE)
        kept = {name: value for name, value in os.environ.items() if not ours.fullmatch(name)}
        return kept | {"COURSE_OFFLINE": "1", "PYTHONPATH": str(self.folder)} | self.env | more


@contextlib.contextmanager
def made(name: str, tmp_path: Path):
    """Yield a `Here` for the ground of that name in GROUNDS."""
    if sys.platform != "linux":
        pytest.skip("grounds are made by Linux's means")
    with MAKERS[name](tmp_path) as here:
        if here.before:
            _must(here.before)
        yield here


def _must(before):
    """Skip where the system refuses to begin a command so."""
    try:
        tried = subprocess.run([*before, "true"], capture_output=True, text=True, timeout=60)
    except FileNotFoundError:
        pytest.skip(f"no {before[0]} here")
    if tried.returncode:
        pytest.skip(f"this ground cannot be made here: {tried.stderr.strip() or tried.returncode}")


def copied(folder: Path) -> Here:
    """A copy of the course in `folder`, with this Python's packages below it."""
    folder.mkdir(parents=True)
    for name in COPIED:
        shutil.copytree(PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "content"))
    shutil.copy(PROJECT / "course.toml", folder)
    (folder / "data").mkdir()
    for name in ("torch_clinic", "notebooks", "scripts", "data/samples", "data/recorded"):
        (folder / name).symlink_to(PROJECT / name)
    if sys.prefix == sys.base_prefix:  # no .venv: the packages stay where they are
        return Here(folder=folder)
    (folder / ".venv").symlink_to(sys.prefix)
    return Here(folder=folder, python=str(folder / ".venv" / "bin" / Path(sys.executable).name))


@contextlib.contextmanager
def _odd_folder(tmp_path):
    yield copied(tmp_path / "Clé de René" / "course")


@contextlib.contextmanager
def _no_home(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    with read_only(home) as before:
        names = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "JUPYTER_DATA_DIR", "MPLCONFIGDIR")
        yield Here(before=before, env={"HOME": str(home / "me"), **dict.fromkeys(names, "")})


@contextlib.contextmanager
def _memory(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root may limit memory by a control group")
    lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    own = {controllers: name for _, controllers, name in (line.split(":", 2) for line in lines)}
    older = next((name for controllers, name in own.items() if "memory" in controllers.split(",")), None)
    top = Path("/sys/fs/cgroup") if older is None else Path("/sys/fs/cgroup/memory")
    group = top / (own.get("", "/") if older is None else older).strip("/") / f"course-{uuid.uuid4().hex}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group may be made here: {error}")
    try:
        limit = group / ("memory.max" if older is None else "memory.limit_in_bytes")
        if not limit.exists():
            pytest.skip("this control group does not limit memory")
        limit.write_text(str(2 * GIB), encoding="utf-8")
        yield Here(before=["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', str(group)])
    finally:
        until = time.monotonic() + 60
        while group.exists():  # busy until the last member has been buried
            with contextlib.suppress(OSError):
                group.rmdir()
            assert time.monotonic() < until, f"{group} is still in use"
            time.sleep(0.05)


@contextlib.contextmanager
def _clock(tmp_path, to, **env):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("no C compiler here to make a clock with")
    library = tmp_path / "clock.so"
    source = Path(__file__).with_name("clock.c")
    built = [compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"]
    tried = subprocess.run(built, capture_output=True, text=True, timeout=120)
    if tried.returncode:
        pytest.skip(f"no clock could be made: {tried.stderr}")
    ahead = str(round(to.timestamp() - time.time()))
    yield Here(env={"LD_PRELOAD": str(library), "TESTS_AHEAD": ahead, **env})


@contextlib.contextmanager
def _path_without(tmp_path, names):
    programs = tmp_path / "programs"
    programs.mkdir()
    for folder in os.environ["PATH"].split(os.pathsep):
        if not os.access(folder, os.R_OK) or not Path(folder).is_dir():  # such as root's own
            continue
        for program in Path(folder).iterdir():
            if not names.fullmatch(program.name) and not (programs / program.name).is_symlink():
                (programs / program.name).symlink_to(program)
    yield Here(env={"PATH": str(programs)})


def _without(names, *, but):
    """A ground without the programs of those names; skipped where `but`, too, is missing."""

    def make(tmp_path):
        if not shutil.which(but):
            pytest.skip(f"{but} is missing here as well")
        return _path_without(tmp_path, names)

    return make


@contextlib.contextmanager
def _one_thread(_):
    if usable_cores() < 2:
        pytest.skip("one core, whose one thread is no trouble")
    yield Here(env={"OMP_NUM_THREADS": "1"})


class Pages(BaseHTTPRequestHandler):
    """A proxy whose answer to everything is a page for people."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.server.asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", self.server.kind)
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            with contextlib.suppress(OSError):  # whoever expected something else is gone
                self.wfile.write(PAGE)
                self.connection.shutdown(socket.SHUT_WR)
                self.connection.settimeout(10)
                while self.connection.recv(4096):  # closed with words unread, a connection is reset
                    pass

    do_HEAD = do_CONNECT = do_POST = do_GET


@contextlib.contextmanager
def proxy(kind: str = "text/html; charset=utf-8"):
    """Yield that proxy, running; `kind` is what it calls its pages."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    server.daemon_threads, server.asked, server.kind = True, [], kind
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(60)


@contextlib.contextmanager
def _behind_proxy(_):
    with proxy() as server:
        address = f"http://127.0.0.1:{server.server_port}"
        yield Here(env={"http_proxy": address, "https_proxy": address, "COURSE_OFFLINE": ""})


@contextlib.contextmanager
def _both_cases(tmp_path):
    here = copied(tmp_path / "course")
    for path in [path for name in COPIED for path in (here.folder / name).rglob("*.py")]:
        with contextlib.suppress(FileExistsError):  # a file system that really is so
            path.with_name(path.name.swapcase()).symlink_to(path)
    yield here


def _plain(**given):
    return lambda _: contextlib.nullcontext(Here(**given))


OWN = [] if getattr(os, "geteuid", lambda: 1)() == 0 else ["--map-root-user"]
SIX = 'ip link set lo up && ip addr del 127.0.0.1/8 dev lo && ip -6 addr show lo | grep -q ::1 && exec "$@"'
MAKERS = {
    "odd folder": _odd_folder,
    "LANG=C": _plain(env={"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    "home": _no_home,
    "one core": _plain(before=["taskset", "-c", str(min(getattr(os, "sched_getaffinity", lambda _: {0})(0)))]),
    "one thread": _one_thread,
    "2 GiB": _memory,
    "/dev/shm": _plain(before=["unshare", *OWN, "--mount", "sh", "-c", DRIVE, "sh", "64m", "/dev/shm"]),
    "2038": lambda tmp_path: _clock(tmp_path, IN_2038),
    "no git": _without(re.compile(r"git.*"), but="g++"),
    "no compiler": _without(COMPILERS, but="git"),
    "IPv6": _plain(before=["unshare", *OWN, "--net", "sh", "-c", SIX, "sh"]),
    "proxy": _behind_proxy,
    "time zone": _plain(env={"TZ": "Pacific/Kiritimati"}),
    "summer": lambda tmp_path: _clock(tmp_path, BEFORE_SUMMER, TZ="Europe/Berlin"),
    "case": _both_cases,
}

if __name__ == "__main__":
    DOCS.write_text(page(), encoding="utf-8")
    print(f"wrote {DOCS}: {len(GROUNDS)} grounds")
