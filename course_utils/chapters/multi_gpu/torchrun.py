"""Run `torchrun` with a timeout: return its ranks' lines in order of rank, and leave no process when it fails."""

import os
import re
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from course_utils.ranks.starting import start
from lessonkit.system import loopback, processes
from lessonkit.system.scratch import Scratch

NOISE = re.compile(r"\[Gloo\] Rank \d+ is connected to|\[[WI]\d* .*\.cpp:\d+\]")  # what C++ says of every start
LOST = 15.0  # seconds that the other agents are given when one was killed
AGENT = "course_utils.chapters.multi_gpu.agent:main"


@dataclass(frozen=True)
class Finished:
    """How a `torchrun` ended.

    `code`: 0, or the first agent's that is not. `output`, `errors`: what the ranks wrote to standard output and
    error, each line led by its rank. `agent`: what torchrun itself wrote, at a failure its table of the causes, and
    who was killed, if a torchrun was. `seconds`: by the clock, from the start to the end of all processes.
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
    interface: str = loopback.INTERFACE
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
    does. gloo's lines about its connections are left out. Raises `TimeoutError` after `timeout` seconds, and where
    an agent was killed and others wait for it, with what the ranks had written. All processes that it started have
    ended then, and its log files are gone. So they are soon after this process has been killed: each agent notices
    that.
    """
    nodes = nodes or [Node()] * nnodes
    mark = processes.new_mark("torchrun")
    port, held = _own_port() if len(nodes) > 1 else (0, None)
    began, agents = time.monotonic(), []
    scratch = Scratch("torchrun-")
    folder = scratch.path
    try:
        for number, node in enumerate(nodes):
            words = [str(folder)]
            words += _meeting(nodes, number, port)
            words += [f"--nproc-per-node={nproc}", f"--max-restarts={max_restarts}"]
            words += [f"--log-dir={folder / str(number)}", "--redirects=3"]
            words += [str(script), *(str(argument) for argument in arguments)]
            full = _environment(node, max_restarts) | dict(env or {})
            with (folder / f"{number}.agent").open("wb") as log:
                own = f"{mark}{number}/"
                agents.append(start(AGENT, words, before=node.before, mark=own, env=full, log=log))
        codes = _wait(agents, mark, until=began + timeout)
        processes.end(mark)
        if None in codes:
            written = _lines(folder, "stdout.log") + _lines(folder, "stderr.log")
            how = f"had not ended after {timeout:g} s"
            if killed := _killed(codes).strip().replace("\n", "; "):
                how = f"went on for {LOST:g} s without an agent ({killed})"
            raise TimeoutError(
                f"torchrun of {Path(script).name} {how}, and was ended with its ranks. "
                f"They had written:\n{written or 'nothing'}"
            )
        return Finished(
            code=next((code for code in codes if code), 0),
            output=_lines(folder, "stdout.log"),
            errors=_lines(folder, "stderr.log"),
            agent="".join(_clean(folder / f"{number}.agent") for number in range(len(nodes))) + _killed(codes),
            seconds=time.monotonic() - began,
        )
    finally:
        processes.end(mark)
        if held:
            held.close()
        for agent in agents:
            agent.kill()  # already ended, unless the system hides its variables from us
            agent.communicate()
        scratch.close()


def _wait(agents, mark, *, until):
    """Return the agents' codes, None for what had not ended in time. With one that is killed its ranks end, too."""
    lost = set()
    while True:
        codes = [agent.poll() for agent in agents]
        if None not in codes or time.monotonic() > until:
            return codes
        for number in {number for number, code in enumerate(codes) if code is not None and code < 0} - lost:
            lost.add(number)
            processes.end(f"{mark}{number}/")
            until = min(until, time.monotonic() + LOST)
        time.sleep(0.02)


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


def _lines(folder: Path, name: str) -> str:
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


def _clean(path: Path, *, label: str = "") -> str:
    """Return a file's lines, each after its label, without those that C++ writes at every start."""
    written = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return "".join(f"{label}{line}\n" for line in written if not NOISE.search(line))


def _killed(codes: list[int | None]) -> str:
    """Return a line for each agent that was killed, by a signal."""
    them = [(number, code) for number, code in enumerate(codes) if code is not None and code < 0]
    return "".join(f"node {number}: torchrun was {processes.ending(code)}\n" for number, code in them)
