"""A training script on two nodes of one computer: two network namespaces with a cable between them, a rank in each.

    python scripts/two_nodes.py scripts/train_ddp.py --epochs 1

A namespace is a network of its own: other interfaces, other addresses, other ports. It takes root on Linux and the
program `ip`; elsewhere this says what is missing, and runs two agents side by side on the loopback interface.
The namespaces are removed whatever happens; those of a run that was killed, at the next run.
"""

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys

import psutil

from course_utils.chapters.multi_gpu import torchrun

PREFIX = "course-"  # of our namespaces' names; then the process that made them


def missing():
    """What namespaces would need and this machine has not; "" where nothing is missing."""
    if sys.platform != "linux":
        return f"network namespaces are Linux's, and this is {sys.platform}"
    if os.geteuid() != 0:
        return "only root may make a network namespace"
    if shutil.which("ip") is None:
        return "the program `ip` is not here (Debian's package iproute2 has it)"
    probe = f"{PREFIX}{os.getpid()}-probe"
    tried = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True)
    subprocess.run(["ip", "netns", "delete", probe], capture_output=True)
    return "" if tried.returncode == 0 else f"`ip netns add` is not permitted here: {tried.stderr.strip()}"


@contextlib.contextmanager
def cabled():
    """Yields two `torchrun.Node` in namespaces joined by a cable; removes them at the end."""
    remove_stale()
    names = [f"{PREFIX}{os.getpid()}-{end}" for end in "ab"]
    cable = [f"cable{end}" for end in "ab"]
    addresses = ["10.77.0.1", "10.77.0.2"]  # seen inside the namespaces only
    try:
        for name in names:
            ip("netns", "add", name)
        ip("link", "add", cable[0], "netns", names[0], "type", "veth", "peer", "name", cable[1], "netns", names[1])
        for name, interface, address in zip(names, cable, addresses, strict=True):
            ip("-n", name, "addr", "add", f"{address}/24", "dev", interface)
            for each in ("lo", interface):
                ip("-n", name, "link", "set", each, "up")
        yield [
            torchrun.Node(address, interface, ("ip", "netns", "exec", name))
            for name, interface, address in zip(names, cable, addresses, strict=True)
        ]
    finally:
        for name in names:
            subprocess.run(
                ["ip", "netns", "delete", name], capture_output=True
            )  # its end of the cable goes with it


def remove_stale():
    """Removes the namespaces of processes that have gone."""
    for line in ip("netns", "list").splitlines():
        owner = line.split()[0].removeprefix(PREFIX).split("-")[0]
        if line.startswith(PREFIX) and not psutil.pid_exists(int(owner)):
            ip("netns", "delete", line.split()[0])


def ip(*words):
    """What `ip` prints; raises RuntimeError with what it complains of."""
    done = subprocess.run(["ip", *words], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"`ip {' '.join(words)}` failed: {done.stderr.strip()}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--loopback", action="store_true", help="no namespaces, whoever you are")
    parser.add_argument("--limit", type=float, default=120, help="seconds for the run")
    parser.add_argument("--max-restarts", type=int, default=0)
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # an exception, so that the namespaces are removed
    reason = "--loopback was given" if arguments.loopback else missing()
    print(
        f"two agents on the loopback interface: {reason}" if reason else "two network namespaces, joined by a cable"
    )
    with contextlib.nullcontext([torchrun.Node()] * 2) if reason else cabled() as nodes:
        given = {"nodes": nodes, "nproc": 1, "max_restarts": arguments.max_restarts, "timeout": arguments.limit}
        try:
            finished = torchrun.run(arguments.script, *arguments.arguments, **given)
        except TimeoutError as error:
            sys.exit(str(error))
    print(finished.output, end="")
    if finished.code:
        print(finished.errors + finished.agent, file=sys.stderr, end="")
    return finished.code


if __name__ == "__main__":
    sys.exit(main())
