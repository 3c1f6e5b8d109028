"""`torchrun` with a time limit: its ranks' lines in order of rank, and nothing left running when it fails."""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from course_utils.system import processes

NOISE = re.compile(r"\[Gloo\] Rank \d+ is connected to|\[[WI]\d* .*\.cpp:\d+\]")  # what C++ says of every start


@dataclass(frozen=True)
class Finished:
    """How a `torchrun` ended.

    `code`: 0, or the first agent's that is not. `output`, `errors`: what the ranks wrote to standard output and
    error, each line led by its rank. `agent`: what torchrun itself wrote, at a failure its table of the causes.
    `seconds`: by the clock, from the start to the end of all processes.
    """

    code: int
    output: str
    errors: str
    agent: str
    seconds: float


@dataclass(frozen=True)
class Node:
    """A machine, or what stands for one: `address`, gloo's network `interface`, words put `before` its command."""

    address: str = "127.0.0.1"
    interface: str = processes.LOOPBACK
    before: tuple[str, ...] = ()


def run(
    script: Path | str,
    *arguments: object,
    nproc: int = 2,
    nnodes: int = 1,
    nodes: Sequence[Node] | None = None,
    max_restarts: int = 0,
    timeout: float = 60,
    env: Mapping[str, str] | None = None,
) -> Finished:
    """Run a script by `torchrun` on this machine; return how it ended, whatever the code, like `subprocess.run`.

    `nproc`: ranks on each of `nnodes` nodes; more than one node are as many agents side by side, which meet over
    the loopback interface; or give `nodes`, a list of `Node`. `env`: variables to add to this process's. Lines come
    by attempt, then node, then rank, so that the text does not depend on who was faster: "restart 1, " begins those
    of a node whose own rank failed; on another node the second life's lines replace the first's, as torchrun's log
    does. gloo's lines about its connections are left out. Raises `TimeoutError` after `timeout` seconds, with what
    the ranks had written. All processes that it started have ended then, and its log files are gone.
    """
    nodes = nodes or [Node()] * nnodes
    mark = processes.new_mark("torchrun")
    port, held = _own_port() if len(nodes) > 1 else (0, None)
    began, agents = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="torchrun-", ignore_cleanup_errors=sys.platform == "win32") as folder:
        folder = Path(folder)
        try:
            for number, node in enumerate(nodes):
                words = [*node.before, sys.executable, "-m", "torch.distributed.run"]
                words += _meeting(nodes, number, port)
                words += [f"--nproc-per-node={nproc}", f"--max-restarts={max_restarts}"]
                words += [f"--log-dir={folder / str(number)}", "--redirects=3"]
                words += [str(script), *(str(argument) for argument in arguments)]
                full = _environment(node, max_restarts) | dict(env or {})
                with (folder / f"{number}.agent").open("wb") as log:
                    agents.append(processes.start(words, cwd=Path.cwd(), mark=mark, env=full, stderr=log))
            for agent in agents:
                agent.communicate(timeout=max(0.0, began + timeout - time.monotonic()))
        except subprocess.TimeoutExpired:
            processes.end(mark)
            written = _lines(folder, "stdout.log") + _lines(folder, "stderr.log")
            raise TimeoutError(
                f"torchrun of {Path(script).name} had not ended after {timeout:g} s, and was ended with its ranks. "
                f"They had written:\n{written or 'nothing'}"
            ) from None
        finally:
            processes.end(mark)
            if held:
                held.close()
            for agent in agents:
                agent.kill()  # already ended, unless the system hides its variables from us
                agent.communicate()
        return Finished(
            code=next((agent.returncode for agent in agents if agent.returncode), 0),
            output=_lines(folder, "stdout.log"),
            errors=_lines(folder, "stderr.log"),
            agent="".join(_clean(folder / f"{number}.agent") for number in range(len(nodes))),
            seconds=time.monotonic() - began,
        )


def _meeting(nodes, number, port):
    """Return the options by which the agent of node `number` finds the others. `port`: a free one of node 0."""
    local = f"--local-addr={nodes[number].address}"
    if len(nodes) == 1:
        return ["--standalone", local]
    options = [f"--nnodes={len(nodes)}", "--rdzv-backend=c10d", f"--rdzv-id=port-{port}"]
    options.append(f"--rdzv-endpoint={nodes[0].address}:{port}")
    # Without is_host and local-addr both agents of one machine take themselves for the host, and hang.
    return [*options, f"--rdzv-conf=is_host={int(number == 0)}", local]


def _environment(node, max_restarts):
    """Return this process's variables, and those that keep torchrun to the node."""
    ours = {"OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}  # a killed rank's last lines are in its file
    if sys.platform == "win32":
        ours["USE_LIBUV"] = "0"  # torch's wheels for Windows are built without it
    if max_restarts:
        # Else torch 2.14 keeps one store for all lives, where a restarted rank may read its dead peer's address
        # ("Connection refused"): github.com/pytorch/pytorch/issues/135712.
        ours["TORCH_DISABLE_SHARE_RDZV_TCP_STORE"] = "1"
    if node.interface:
        ours["GLOO_SOCKET_IFNAME"] = node.interface
    return os.environ | ours


def _lines(folder, name):
    """Return the ranks' files of that name as one text: by attempt, then node, then rank."""
    files = []
    for path in folder.glob(f"*/*/attempt_*/*/{name}"):
        node, _job, attempt, local_rank = path.relative_to(folder).parts[:4]
        files.append((int(attempt.removeprefix("attempt_")), int(node), int(local_rank), path))
    several = len({node for _, node, _, _ in files}) > 1
    text = ""
    for attempt, node, local_rank, path in sorted(files):
        label = f"rank {local_rank}: "
        if several:
            label = f"node {node}, local {label}"
        if attempt > 0:
            label = f"restart {attempt}, {label}"
        text += _clean(path, label=label)
    return text


def _clean(path, *, label=""):
    """Return a file's lines, each after its label, without those that C++ writes at every start."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return "".join(f"{label}{line}\n" for line in lines if not NOISE.search(line))


def _own_port():
    """Return a free port, and a socket that keeps it, or None where it is let go.

    Nobody else is given it while the first agent, which is to listen at it, still imports torch. Linux lets the
    agent listen beside a bound socket that does not; macOS and Windows would turn its callers away.
    """
    held = socket.socket()
    if sys.platform == "linux":
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as torch's own
    held.bind(("127.0.0.1", 0))
    port = held.getsockname()[1]
    if sys.platform != "linux":
        held.close()
        held = None
    return port, held
