"""`torchrun` with a time limit: its ranks' lines in order of rank, and nothing left running when it fails."""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from course_utils import orphans, processes

NOISE = re.compile(r"\[Gloo\] Rank \d+ is connected to|\[[WI]\d* .*\.cpp:\d+\]")  # what C++ says of every start


@dataclass(frozen=True)
class Finished:
    """How a `torchrun` ended.

    `code`: 0, or the first agent's that is not. `output`, `errors`: what the ranks wrote to standard output and
    error, each line led by its rank. `agent`: what torchrun itself wrote, at a failure its table of the causes.
    """

    code: int
    output: str
    errors: str
    agent: str
    seconds: float


def command(script, *arguments, nproc=2, nnodes=1, node=0, port=0, max_restarts=0, log_dir=None):
    """The command line of one agent, as a list; `node` is its number, `port` the free port where the nodes meet."""
    if nnodes == 1:
        meeting = ["--standalone"]
    else:  # without is_host and local-addr both agents of one machine take themselves for the host, and hang
        meeting = ["--rdzv-backend=c10d", f"--rdzv-endpoint=127.0.0.1:{port}", f"--rdzv-id=port-{port}"]
        meeting += [f"--nnodes={nnodes}", f"--rdzv-conf=is_host={int(node == 0)}"]
    return [
        *(sys.executable, "-m", "torch.distributed.run", *meeting, "--local-addr=127.0.0.1"),
        *(f"--nproc-per-node={nproc}", f"--max-restarts={max_restarts}"),
        *([] if log_dir is None else [f"--log-dir={log_dir}", "--redirects=3"]),
        *(str(script), *map(str, arguments)),
    ]


def run(script, *arguments, nproc=2, nnodes=1, max_restarts=0, timeout=60, env=None):
    """Runs a script by `torchrun` on this machine; returns a `Finished`, whatever the code, like `subprocess.run`.

    `nproc`: ranks on each of `nnodes` nodes; more than one node are as many agents side by side, which meet over
    the loopback interface. `env`: variables to add to this process's. Lines come by attempt (after a restart they
    begin with "restart 1, "), then by node, then by rank, so that the text does not depend on who was faster;
    gloo's lines about its connections are left out. Raises `TimeoutError` after `timeout` seconds, with what the
    ranks had written. All processes that it started have ended then, and its log files are gone.
    """
    mark = f"{os.environ.get(processes.MARK, '')}torchrun-{uuid.uuid4().hex}/"
    port = _free_port() if nnodes > 1 else 0
    env = _environment(env or {})
    began, agents = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="torchrun-", ignore_cleanup_errors=sys.platform == "win32") as folder:
        folder = Path(folder)
        try:
            for node in range(nnodes):
                given = {"nproc": nproc, "nnodes": nnodes, "node": node, "port": port, "max_restarts": max_restarts}
                line = command(script, *arguments, **given, log_dir=folder / f"{node}")
                with (folder / f"{node}.agent").open("wb") as log:
                    agents.append(processes.start(line, cwd=Path.cwd(), mark=mark, env=env, stderr=log))
            for agent in agents:
                agent.communicate(timeout=max(0.0, began + timeout - time.monotonic()))
        except subprocess.TimeoutExpired:
            orphans.end(mark)
            written = _lines(folder, "stdout.log") + _lines(folder, "stderr.log")
            raise TimeoutError(
                f"torchrun of {Path(script).name} had not ended after {timeout:g} s, and was ended with its ranks. "
                f"They had written:\n{written or 'nothing'}"
            ) from None
        finally:
            orphans.end(mark)
            for agent in agents:
                agent.communicate()
        return Finished(
            code=next((agent.returncode for agent in agents if agent.returncode), 0),
            output=_lines(folder, "stdout.log"),
            errors=_lines(folder, "stderr.log"),
            agent="".join((folder / f"{node}.agent").read_text("utf-8", "replace") for node in range(nnodes)),
            seconds=time.monotonic() - began,
        )


def _environment(more):
    """This process's variables, those that keep torchrun on this machine, and `more`."""
    ours = {"OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}  # a killed rank's last lines are in its file
    if sys.platform == "win32":
        ours["USE_LIBUV"] = "0"  # torch's wheels for Windows are built without it
    else:
        ours["GLOO_SOCKET_IFNAME"] = "lo0" if sys.platform == "darwin" else "lo"
    return os.environ | ours | more


def _lines(folder, name):
    """The ranks' files of that name as one text."""
    files = []
    for path in folder.glob(f"*/*/attempt_*/*/{name}"):  # node, job, attempt, local rank
        node, _, attempt, rank = path.relative_to(folder).parts[:4]
        files.append((int(attempt.removeprefix("attempt_")), int(node), int(rank), path))
    several = len({node for _, node, _, _ in files}) > 1
    text = []
    for attempt, node, rank, path in sorted(files):
        label = f"restart {attempt}, " * (attempt > 0) + f"node {node}, local " * several + f"rank {rank}: "
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        text += [f"{label}{line}\n" for line in lines if not NOISE.search(line)]
    return "".join(text)


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
