"""Choose how submissions are isolated on this system, and start a process in that isolation.

Bubblewrap comes first, our own launcher of Linux namespaces second. A system with neither has limits alone.
"""

import functools
import json
import os
import shutil
import site
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from lessonkit.system import processes
from lessonkit.system.course import course, package_folder
from lessonkit.system.place import PROJECT

HOME, COURSE = "/room/home", "/room/course"  # as the submission sees them
SCRATCH = {"/tmp": "128m", "/dev/shm": "128m", HOME: "128m"}  # in memory, gone with the process
_FIRST_UID = 2_000_000_000  # where root grades: a user of its own for each submission, one that nobody is
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin")
_FILES = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_PROBING = 300.0  # seconds for a command that takes a tenth of one: a machine may have other things to do


@dataclass(frozen=True)
class Isolation:
    """One way to keep a submission apart. `promises`: what it keeps from it, as the report says.

    To be compared with `==`: a judge's process is sent a copy.
    """

    name: str
    promises: str

    @property
    def of_files(self) -> bool:
        """Whether it keeps files, network and other processes out of sight."""
        return self.name != "limits alone"


BUBBLEWRAP = Isolation("bubblewrap", "no network, no other process, no file but the system's and the course's own")
NAMESPACES = Isolation("namespaces", BUBBLEWRAP.promises)
LIMITS = Isolation(
    "limits alone",
    "limits on time, memory and size of files; the network, the files of whoever grades and, on this system, other "
    "submissions stay within reach: grade only what you trust, or on a Linux machine",
)


@functools.cache
def available() -> Isolation:
    """Return the best isolation that has just been seen to work here."""
    for one in (BUBBLEWRAP, NAMESPACES):
        if sys.platform == "linux" and works(one):
            return one
    return LIMITS


def works(one: Isolation) -> bool:
    """Return whether a command runs in it, and sees nothing of the folder of whoever grades.

    Bubblewrap for root does not: root's temporary folders are closed to the nobody whom it would have to run as.
    """
    if one == BUBBLEWRAP and (os.geteuid() == 0 or not shutil.which("bwrap")):
        return False
    program = "import os, sys; sys.exit(os.path.exists(sys.argv[1]))"
    with tempfile.TemporaryDirectory() as folder:
        secret = Path(folder) / "secret"
        secret.touch()
        root = Path(folder) / "root"
        root.mkdir()
        command = [sys.executable, "-I", "-S", "-c", program, str(secret)]
        try:
            process = start(one, command, tree=Path(folder), root=str(root), home=folder, mark="")
            process.communicate(timeout=_PROBING)
        except OSError:
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()  # else a zombie stays, and both pipes
            return False
        return process.returncode == 0


def start(
    one: Isolation,
    command: list[str],
    *,
    tree: Path,
    root: str,
    home: str,
    mark: str,
    stderr: IO | int = subprocess.DEVNULL,
) -> subprocess.Popen:
    """Start a command in the isolation; standard input and output are pipes of bytes. Raises OSError.

    `tree`: the course that it sees. `root`: an empty folder. `home`: an empty folder too, for where the system has
    no isolation; `mark`: how its descendants are found there.
    """
    apart = {} if sys.platform == "win32" else {"start_new_session": True}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": stderr}
    if one == LIMITS:
        env = environment(str(tree), home) | {processes.MARK: mark}
        return subprocess.Popen(command, cwd=home, env=env, **pipes, **apart)
    whole = _bubblewrap(command, tree) if one == BUBBLEWRAP else _namespaces(command, tree, root)
    return subprocess.Popen(whole, cwd="/", env={"PATH": os.environ.get("PATH", os.defpath)}, **pipes, **apart)


def environment(tree: str, home: str) -> dict[str, str]:
    """Return the variables of a submission's process: none of the grader's own but what Windows needs."""
    kept = ("SYSTEMROOT", "SYSTEMDRIVE", "PATHEXT", "COMSPEC", "WINDIR") if sys.platform == "win32" else ()
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    ours = {"PYTHONPATH": tree, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1", "PYTHONUTF8": "1"}
    place = {"HOME": home, "USERPROFILE": home, "USER": "learner", "LOGNAME": "learner", "PATH": os.defpath}
    quiet = {"COURSE_OFFLINE": "1", "COURSE_PROGRESS": "0", "TQDM_DISABLE": "1", "MPLBACKEND": "Agg"}
    quiet |= {"CUDA_VISIBLE_DEVICES": ""}  # the judge has none either: devices count in a comparison
    return {name: os.environ[name] for name in kept if name in os.environ} | threads | ours | place | quiet


def _uid():
    """Return the number of a user that nobody is, among those that this system, or container, knows."""
    wanted = _FIRST_UID + os.getpid()
    for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines():
        first, _, count = map(int, line.split())
        if first <= wanted < first + count:
            return wanted
    return 60_000 + os.getpid() % 5_000


def _namespaces(command, tree, root):
    links = {place: str(Path(place).readlink()) for place in _SYSTEM if Path(place).is_symlink()}
    spec = {"root": root, "shown": _shown(tree), "hidden": _hidden(), "links": links, "scratch": SCRATCH}
    spec |= {
        "command": command,
        "env": environment(COURSE, HOME),
        "cwd": HOME,
        "uid": _uid(),
        "parent": os.getpid(),
    }
    return [sys.executable, "-I", "-S", str(Path(__file__).with_name("launcher.py")), json.dumps(spec)]


def _bubblewrap(command, tree):
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
    words += ["--as-pid-1", "--proc", "/proc", "--dev", "/dev"]
    for place, size in SCRATCH.items():
        words += ["--size", str(int(size[:-1]) << 20), "--tmpfs", place]
    for place, source in sorted(_shown(tree).items()):
        if not place.startswith("/dev/"):
            words += ["--ro-bind", source, place]
    for place in _hidden():
        words += ["--tmpfs", place, "--remount-ro", place]
    for place in _SYSTEM:
        if Path(place).is_symlink():
            words += ["--symlink", str(Path(place).readlink()), place]
    for name, value in environment(COURSE, HOME).items():
        words += ["--setenv", name, value]
    return [*words, "--remount-ro", "/", "--chdir", HOME, *command]


def _places():
    """Return what is shown of the system, and of this Python, by the names that it has outside."""
    folders = [place for place in _SYSTEM if not Path(place).is_symlink()]
    places = [*folders, *_FILES, *(f"/dev/{name}" for name in _DEVICES), "/sys/devices/system/cpu"]
    places += [sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1])]
    return [place for place in dict.fromkeys(places) if Path(place).exists()]


def _shown(tree):
    """Return the files and folders that are there, read-only: place -> source."""
    shown = _places()
    inside = [
        place for place in shown if any(Path(place).is_relative_to(other) for other in shown if other != place)
    ]
    return {place: place for place in shown if place not in inside} | {COURSE: str(tree)}


def _hidden():
    """Return the folders of the course that lie in one that is shown, as the sandbox names them.

    They are all folders of a clone but those that hold this Python, as its environment may lie in the clone, and
    each copy of the packages that this Python could import: a wheel may be installed beside the clone.
    """
    needed = [Path(place).resolve() for place in (*_places(), *sysconfig.get_paths().values(), *_site_packages())]
    found = {one.resolve() for one in _of_the_course() if one.is_dir()}
    secret = {one for one in found if not any(place.is_relative_to(one) for place in needed)}
    outermost = [one for one in secret if secret.isdisjoint(one.parents)]
    shown = {Path(place): Path(source).resolve() for place, source in _shown(PROJECT).items() if place != COURSE}
    return sorted(
        str(place / one.relative_to(source))
        for one in outermost
        for place, source in shown.items()
        if one.is_relative_to(source)
    )


def _of_the_course():
    """Yield the paths, there or not, of all that belongs to the course and that no submission may see."""
    yield from (one for one in PROJECT.iterdir() if not one.is_symlink())  # in `/` one may lead into the system
    yield from (PROJECT / course().notebooks, PROJECT / course().answers)
    for name in filter(None, ("lessonkit", "torch_clinic", course().package)):
        if found := package_folder(name):
            yield found
        for folder in {*filter(None, sys.path), *_site_packages()}:
            yield Path(folder, name)


def _site_packages():
    return site.getsitepackages([sys.prefix, sys.base_prefix])
