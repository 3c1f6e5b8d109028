"""Start a process that needs torch: on Linux as a fork of one that has imported it, elsewhere anew."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from lessonkit.system import fork_server, processes

BOOT = """import importlib, json, sys
sys.path[:] = json.loads(sys.argv.pop())
module, _, function = sys.argv.pop(1).partition(":")
getattr(importlib.import_module(module), function)()"""
# One server serves ranks and torchrun's agents: what both are slow to import.
PRELOAD = ("torch.distributed.launcher.api", "course_utils.ranks.worker", "course_utils.ranks.pickling")
# Variables in which both differ, or that a cell sets for a while. They are read when a group meets, when a child is
# started or at the first collective, not at an import; TORCH_DISTRIBUTED_DEBUG is read again by each fork.
LATE = (
    *("GLOO_SOCKET_IFNAME", "PYTHONUNBUFFERED", "TORCH_DISABLE_SHARE_RDZV_TCP_STORE"),
    *("TORCH_DISTRIBUTED_DEBUG", "TORCH_FR_BUFFER_SIZE", "TORCH_NCCL_TRACE_BUFFER_SIZE"),
)


def start(
    program: str,
    arguments: Sequence[str],
    *,
    mark: str,
    env: Mapping[str, str],
    log: IO[bytes],
    before: Sequence[str] = (),
) -> subprocess.Popen | fork_server.Forked:
    """Call `program`, "module:function", in a new process here with `arguments` as its `sys.argv[1:]`.

    Its standard input is a pipe of text from this process; its error output, and what else it writes, go to `log`.
    `mark`: as for `processes.start`. `env`: all its variables. `before`: words before its command; a process that
    has such words is never a fork.
    """
    where = {"cwd": Path.cwd(), "mark": mark, "env": env}
    if not before:
        # On macOS and Windows never: there a new process does the same, only seconds later.
        with contextlib.suppress(fork_server.Unavailable):
            return fork_server.fork(program, arguments, preload=PRELOAD, late=LATE, log=log, **where)
    command = [*before, sys.executable, "-c", BOOT, program, *arguments, json.dumps(sys.path)]
    return processes.start(command, stderr=log, **where)
