"""Start a command in Linux namespaces of its own, on a machine that has no bubblewrap.

    python -I launcher.py SPEC    SPEC is JSON; `_namespaces` in isolation.py writes it

The command sees no other process, no network, and only the files that SPEC names. This file is run as a script, so
it imports nothing from the course.
"""

import ctypes
import json
import os
import select
import signal
import struct
import sys
from pathlib import Path

_NEW = {
    "mount": 0x20000,
    "uts": 0x4000000,
    "ipc": 0x8000000,
    "user": 0x10000000,
    "pid": 0x20000000,
    "net": 0x40000000,
}
_BIND, _REC, _PRIVATE, _NOSUID, _NODEV, _NOEXEC = 4096, 16384, 1 << 18, 2, 4, 8
_DETACH = 2
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV, _RECURSIVE, _HERE = 1, 2, 4, 0x8000, -100
_PDEATHSIG, _BOUNDING_DROP, _NO_NEW_PRIVS = 1, 24, 38
_SETATTR, _PIVOT = 442, {"x86_64": 155, "aarch64": 41}
_LIBC = ctypes.CDLL(None, use_errno=True)


def main(spec: dict) -> int:
    """Do what `spec` says; return how the command ended, 128 + the signal where it was one."""
    root = os.geteuid() == 0
    uid, gid = os.getuid(), os.getgid()
    _done(_LIBC.prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")
    if os.getppid() != spec["parent"]:  # it ended before that
        return 1
    spaces = sum(bit for name, bit in _NEW.items() if name != "user" or not root)
    _done(_LIBC.unshare(spaces), "unshare")
    if not root:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            Path("/proc/self", name).write_text(text, encoding="ascii")
    alive, held = os.pipe()
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code
    os.close(held)
    _end_with_the_other_side_of(alive)
    _mounts(spec)
    if not root:  # no rights to be had again in a namespace within this one
        Path("/proc/sys/user/max_user_namespaces").write_text("0", encoding="ascii")
    _drop(spec if root else {**spec, "uid": None})
    _end_with_the_other_side_of(alive)  # again, as a change of user undoes it
    os.chdir(spec["cwd"])
    os.execve(spec["command"][0], spec["command"], spec["env"])
    raise AssertionError("execve returned")


def _mounts(spec):
    """Build the tree of files in `spec["root"]`, an empty folder, and make it the root."""
    new = spec["root"]
    _mount("none", "/", None, _REC | _PRIVATE)
    _mount("tmpfs", new, "tmpfs", _NOSUID | _NODEV, "size=1m,mode=755")
    for place, size in spec["scratch"].items():
        Path(new + place).mkdir(parents=True, exist_ok=True)
        _mount("tmpfs", new + place, "tmpfs", _NOSUID | _NODEV, f"size={size},mode=1777")
    for place, source in sorted(spec["shown"].items()):
        there = Path(new + place)
        if Path(source).is_dir():
            there.mkdir(parents=True, exist_ok=True)
        else:
            there.parent.mkdir(parents=True, exist_ok=True)
            there.touch()
        _mount(source, new + place, None, _BIND | _REC)
        device = place.startswith("/dev/")
        _set(new + place, _ATTR_NOSUID | (0 if device else _ATTR_RDONLY | _ATTR_NODEV))
    for place in spec["hidden"]:
        _mount("tmpfs", new + place, "tmpfs", _NOSUID | _NODEV, "size=4k,mode=755")
        _set(new + place, _ATTR_RDONLY)
    for place, target in spec["links"].items():
        Path(new + place).parent.mkdir(parents=True, exist_ok=True)
        Path(new + place).symlink_to(target)
    Path(new + "/proc").mkdir(exist_ok=True)
    _mount("proc", new + "/proc", "proc", _NOSUID | _NODEV | _NOEXEC)
    os.chdir(new)
    _done(_LIBC.syscall(_PIVOT[os.uname().machine], b".", b"."), "pivot_root")
    _done(_LIBC.umount2(b".", _DETACH), "umount")
    os.chdir("/")
    _set("/", _ATTR_RDONLY, recursive=False)


def _drop(spec):
    """Give up every right, and the user too where it is root."""
    for capability in range(64):
        _LIBC.prctl(_BOUNDING_DROP, capability, 0, 0, 0)  # those that this kernel does not know fail
    if spec["uid"] is not None:
        os.setgroups([])
        os.setresgid(spec["uid"], spec["uid"], spec["uid"])
        os.setresuid(spec["uid"], spec["uid"], spec["uid"])
    _done(_LIBC.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")


def _end_with_the_other_side_of(pipe):
    """Let this process be killed when its parent ends, which holds the other side: at once where it has ended."""
    _done(_LIBC.prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")
    if select.select([pipe], [], [], 0)[0]:
        os._exit(1)


def _mount(source, target, kind, flags, options=None):
    as_bytes = [os.fsencode(one) if one is not None else None for one in (source, target, kind)]
    done = _LIBC.mount(*as_bytes, ctypes.c_ulong(flags), options.encode() if options else None)
    _done(done, f"mount {target}")


def _set(place, attributes, *, recursive=True):
    """Set attributes of the mount at `place`, and of all below it."""
    wanted = struct.pack("=QQQQ", attributes, 0, 0, 0)
    flags = _RECURSIVE if recursive else 0
    _done(_LIBC.syscall(_SETATTR, _HERE, os.fsencode(place), flags, wanted, len(wanted)), f"mount_setattr {place}")


def _done(result, what):
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
