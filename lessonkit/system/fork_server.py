"""Start child processes by forking one that has imported large libraries already, where the system allows that.

`import torch` takes a new process seconds of processor time; a fork of a process that has done it takes none. A
forked child differs from a new process in nothing that its program sees: it has the variables, the folder, the
module path and the mark that it was asked for, a session of its own, and seeds of its own for numpy and torch.
Only Linux is served: macOS's libraries may not be used after a fork, and Windows has none.
Sources: fork(2), unix(7), proc(5) on /proc/PID/environ.
"""

import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import math
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Self

from lessonkit.system import processes

SUPPORTED = sys.platform == "linux"
IDLE = 120  # seconds
ROOM = 1024  # characters that a child's mark may have
BOOT = """import json, sys
sys.path[:] = json.loads(sys.argv.pop())
from lessonkit.system import fork_server
fork_server.main()"""

_lock = threading.Lock()
# By the process that started it, so that a fork of the owner has none: (modules, environment) and the server.
_servers: dict[int, tuple[tuple, "ForkServer"]] = {}
_refused: list[str] = []  # why no child was forked, where another try would be in vain


class Unavailable(Exception):
    """The server does not answer, or cannot fork safely; the text says why."""


class Ended(Unavailable):
    """The server has ended; another one may do it."""


class Forked:
    """A child of a fork server; what its starter does with it is as with a `subprocess.Popen`."""

    def __init__(self, pid: int, status: int, stdin: IO[str] | None = None):
        self.pid, self.stdin, self.returncode = pid, stdin, None
        self._status = status

    def poll(self) -> int | None:
        """Return how the child ended, None while it lives."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the child's end; return how it ended. Raises `subprocess.TimeoutExpired`."""
        if self._look(timeout) is None:
            raise subprocess.TimeoutExpired(f"pid {self.pid}", timeout)
        return self.returncode

    def kill(self) -> None:
        """Kill the child if it lives."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def communicate(self) -> None:
        """Close the child's standard input and wait for its end."""
        if self.stdin:
            with contextlib.suppress(OSError):  # what is left in the buffer finds no reader
                self.stdin.close()
        self.wait()

    def _look(self, timeout):
        if self.returncode is None and select.select([self._status], [], [], timeout)[0]:
            code = os.read(self._status, 64)
            # Without a code the server has died before its child, which is then nobody's: it is ended, too.
            self.returncode = int(code) if code else -signal.SIGKILL
            if not code:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.pid, signal.SIGKILL)
            os.close(self._status)
        return self.returncode


class ForkServer:
    """A process that forks children when asked: what it has imported, they have.

    It ends with the process that started it; `start`'s also after `idle` seconds without a child.
    """

    def __init__(self, control: socket.socket, process: subprocess.Popen | None = None):
        self._control, self.process = control, process

    @classmethod
    def start(cls, preload: Sequence[str], env: Mapping[str, str], idle: float = IDLE) -> Self:
        """Return a new process with the environment `env` that imports the modules `preload`."""
        ours, theirs = socket.socketpair()
        # A child writes its own mark over the spaces.
        mark = f"{processes.new_mark(processes.FORK_SERVER)}{' ' * ROOM}"
        with theirs:
            command = [
                sys.executable,
                "-c",
                BOOT,
                str(theirs.fileno()),
                str(idle),
                *preload,
                json.dumps(sys.path),
            ]
            process = subprocess.Popen(
                command,
                env=dict(env) | {processes.MARK: mark},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        return cls(ours, process)

    @classmethod
    def of_this_process(cls) -> Self:
        """Return a fork of this process, which has the mark that this one has and must have one thread only."""
        ours, theirs = socket.socketpair()
        if os.fork():
            theirs.close()
            return cls(ours)
        ours.close()
        _run(_serve(theirs, math.inf))
        sys.exit()

    def fork(
        self,
        program: str,
        arguments: Sequence[str],
        *,
        cwd: Path,
        mark: str,
        log: IO,
        errors: IO | None = None,
        stdin: IO | None = None,
        env: Mapping[str, str | None] | None = None,
    ) -> Forked:
        """Call `program`, "module:function", in a new child, and return the child.

        `arguments` are its `sys.argv[1:]`. Its output goes to `log`, and its errors there or to `errors`. Its
        standard input is a pipe of text from here, where no `stdin` is given. `env`: variables that it has other
        than the server, None for one that it has not; what the server has imported does not notice.
        Raises `Unavailable`.
        """
        if len(mark) > ROOM:
            raise Unavailable(f"a mark has {len(mark)} characters, and there is room for {ROOM}")
        job = {"program": program, "arguments": [*arguments], "cwd": str(cwd), "mark": mark, "path": sys.path}
        job["env"] = dict(env or {})
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:  # what either side holds open
            status, reported = os.pipe()
            reading, writing = (os.dup(stdin.fileno()), None) if stdin else os.pipe()
            for end in (status, *([] if stdin else [writing])):
                ours.callback(os.close, end)
            for end in (reading, reported):
                theirs.callback(os.close, end)
            answer = self._ask(job, [reading, log.fileno(), (errors or log).fileno(), reported])
            if "pid" not in answer:
                raise Unavailable(answer["why"])
            ours.pop_all()
        return Forked(answer["pid"], status, None if stdin else os.fdopen(writing, "w", encoding="utf-8"))

    def _ask(self, job, ends):
        """Send a request with its file descriptors; return the answer. Raises `Ended`."""
        try:
            socket.send_fds(self._control, [json.dumps(job).encode() + b"\n"], ends)
            return json.loads(_line(self._control))
        except (OSError, ValueError) as error:
            raise Ended(f"the fork server has ended ({error})") from error

    def stop(self) -> None:
        """Let the server end once its last child has ended."""
        self._control.close()
        if self.process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=5)


def fork(
    program: str,
    arguments: Sequence[str],
    *,
    preload: Sequence[str],
    late: Sequence[str] = (),
    cwd: Path,
    mark: str,
    env: Mapping[str, str],
    log: IO[bytes],
) -> Forked:
    """Fork a child as `ForkServer.fork` does, from a server that is kept for the next one.

    Another `env` or other modules to `preload` get a new server. The variables `late` may differ, as they are read
    when a program runs. Raises `Unavailable`, on other systems than Linux always, and where two servers have ended
    at once without trying a third.
    """
    if not SUPPORTED:
        raise Unavailable(f"on {sys.platform} no process is forked")
    where = {"cwd": cwd, "mark": mark, "log": log, "env": {name: env.get(name) for name in late}}
    env = {name: value for name, value in env.items() if name not in (processes.MARK, *late)}
    with _lock:
        if _refused:
            raise Unavailable(_refused[0])
        try:
            return _server(preload, env).fork(program, arguments, **where)
        except Ended:  # as it was idle for too long
            stop()
        try:
            return _server(preload, env).fork(program, arguments, **where)
        except Ended as error:
            stop()
            _refused.append(str(error))
            raise


def _server(preload, env):
    """Return this process's server, a new one where it has none that fits."""
    kind = tuple(preload), env
    kept, server = _servers.get(os.getpid(), (None, None))
    if kept != kind:
        stop()
        _servers.clear()  # those of a process that has forked this one are not ours
        server = ForkServer.start(preload, env)
        _servers[os.getpid()] = kind, server
    return server


@atexit.register
def stop() -> None:
    """End this process's server, if it has one; the next child gets a new one."""
    if kept := _servers.pop(os.getpid(), None):
        kept[1].stop()


def main() -> None:
    """Import what the command line names, then serve; in each child, run its program."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    gc.disable()
    for name in sys.argv[3:]:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # a child that collects garbage would otherwise copy every page
    gc.enable()
    _run(_serve(control, float(sys.argv[2])))


def _run(program):
    if program:
        module, _, function = program.partition(":")
        getattr(importlib.import_module(module), function)()


def _serve(control: socket.socket, idle: float) -> str:
    """Fork children until nobody can ask any more; return "" then, and in each child the name of its program."""
    woken, wake = socket.socketpair()  # a byte for each child that ends
    woken.setblocking(False)
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    children: dict[int, int] = {}  # pid -> where how it ended is to be reported
    asked, last = True, time.monotonic()
    while asked or children:
        patience = None if math.isinf(idle) else idle / 4
        ready, _, _ = select.select([woken, *([control] if asked else [])], [], [], patience)
        if woken in ready:
            woken.recv(1 << 12)
            _report_ended(children)
        if control in ready:
            line, ends = _request(control)
            last = time.monotonic()
            if not line:
                asked = False
                continue
            if (threads := len([*Path("/proc/self/task").iterdir()])) > 1:
                answer = {"why": f"the fork server has {threads} threads, of which a fork would copy one"}
            elif pid := os.fork():
                children[pid] = os.dup(ends[-1])
                answer = {"pid": pid}
            else:
                for one in (control, woken, wake, *children.values()):
                    one.close() if isinstance(one, socket.socket) else os.close(one)
                job = json.loads(line)
                _become(job, ends)
                return job["program"]
            for end in ends:
                os.close(end)
            with contextlib.suppress(OSError):
                control.sendall(json.dumps(answer).encode() + b"\n")
        elif not children and time.monotonic() - last > idle:
            return ""
    return ""


def _request(control):
    """Return (line, file descriptors) of the next request, both empty where nobody is there any more."""
    content, ends, _, _ = socket.recv_fds(control, 1 << 16, 4)
    while content and not content.endswith(b"\n"):
        more = control.recv(1 << 16)
        if not more:
            return b"", ends
        content += more
    return content, ends


def _report_ended(children):
    for pid in list(children):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            with contextlib.suppress(OSError):  # its starter has gone, or does not care
                os.write(children[pid], str(os.waitstatus_to_exitcode(status)).encode())
            os.close(children.pop(pid))


def _become(job, ends):
    """Make this fork of the server what a new process with the job's settings would be."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    for place, number in enumerate(ends[:3]):
        os.dup2(number, place)
    for number in ends:
        os.close(number)
    _mark(job["mark"])
    for name, value in job["env"].items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    os.chdir(job["cwd"])
    sys.path[:] = job["path"]
    importlib.invalidate_caches()
    sys.argv[1:] = job["arguments"]
    # New seeds from the system: every fork would otherwise draw the same numbers. Python's own `random` sees to it.
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed()
    if torch := sys.modules.get("torch"):
        torch.seed()
    # It has read TORCH_DISTRIBUTED_DEBUG at the server's import.
    if (distributed := sys.modules.get("torch.distributed")) and distributed.is_available():
        distributed.set_debug_level_from_env()


def _mark(mark):
    """Set this process's mark, also where other processes read it.

    They read the bytes that the process began with, which setting a variable does not change; the children that
    this one forks inherit them. The server began with room for a mark, and here it is overwritten.
    """
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_void_p
    place = getenv(processes.MARK.encode())
    ctypes.memmove(place, mark.encode().ljust(len(ctypes.string_at(place))), len(ctypes.string_at(place)))
    os.environ[processes.MARK] = mark


def _line(control):
    content = b""
    while not content.endswith(b"\n"):
        more = control.recv(1 << 12)
        if not more:
            raise OSError("it closed its connection")
        content += more
    return content
