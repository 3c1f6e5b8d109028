"""The program of a torchrun agent: torchrun itself, which ends with its ranks when its starter has died.

An agent that was forked forks its ranks as well, from a copy of itself that it made before it had a thread.
"""

import functools
import importlib
import io
import os
import runpy
import subprocess
import sys
import types
from pathlib import Path

from lessonkit.system import processes
from lessonkit.system.fast_imports import without_collection
from lessonkit.system.fork_server import Forked, ForkServer, Unavailable

RANK = f"{__name__}:rank"


def main() -> None:
    """Run torchrun with the words of the command line; the first is the folder that its starter would remove."""
    folder = Path(sys.argv.pop(1))
    if "torch.distributed.launcher.api" in sys.modules:  # it is a fork of a process that had imported it
        _fork_ranks(ForkServer.of_this_process())
    with processes.ParentWatcher(folder):
        with without_collection():
            importlib.import_module("torch.distributed")  # all that torchrun is slow to import
        runpy.run_module("torch.distributed.run", run_name="__main__", alter_sys=True)


def _fork_ranks(server: ForkServer) -> None:
    """Let torchrun take forks of `server` for the ranks of a Python script, where it would start a new Python."""
    from torch.distributed.elastic.multiprocessing.subprocess_handler.subprocess_handler import SubprocessHandler

    anew = SubprocessHandler._popen

    def popen(handler, args: tuple[str, ...], env: dict[str, str]) -> Forked | subprocess.Popen:
        python, *words = args
        if (python, words[:1]) != (sys.executable, ["-u"]) or not words[1].endswith(".py"):  # a module, a program
            return anew(handler, args, env)
        log, errors = handler._stdout or sys.stdout, handler._stderr or sys.stderr
        where = {"cwd": Path.cwd(), "mark": os.environ[processes.MARK], "log": log, "errors": errors}
        try:
            return server.fork(RANK, words[1:], env=env, stdin=sys.stdin, **where)
        except Unavailable as why:
            print(f"The rank is started anew, not forked: {why}.", file=sys.stderr)
            return anew(handler, args, env)

    SubprocessHandler._popen = popen


def rank() -> None:
    """Run the script of the command line as `python -u` does: its words, its folder, and its name `__main__`."""
    del sys.argv[0]
    path = Path(sys.argv[0])
    sys.path[0] = str(path.resolve().parent)
    for name in ("stdout", "stderr"):
        old = getattr(sys, name)
        new = io.FileIO(old.fileno(), "w", closefd=False)
        setattr(sys, name, io.TextIOWrapper(new, old.encoding, old.errors, write_through=True))
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    module.__file__ = str(path)
    sys.excepthook = functools.partial(_told_from, module)
    exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)


def _told_from(module, kind, error, stack):
    """Show an error without the frames above `module`, which stand in no other traceback of a script."""
    own = stack
    while own and own.tb_frame.f_globals is not module.__dict__:
        own = own.tb_next
    own = own or stack  # the script has not begun: it cannot be read as Python
    sys.__excepthook__(kind, error.with_traceback(own), own)
