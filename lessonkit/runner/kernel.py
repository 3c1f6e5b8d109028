"""The kernel of one notebook: always this Python's. When it dies, this module finds out how."""

import signal
from pathlib import Path

from ipykernel.kernelspec import RESOURCES, get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.utils import run_sync


class OwnPython(KernelSpecManager):
    """Knows one kernel: the Python that runs this process.

    A `python3` kernel that the user has registered elsewhere would otherwise be found first.
    """

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return this Python's kernel, whatever it is called."""
        return KernelSpec(resource_dir=str(RESOURCES), **get_kernel_dict())


def manager() -> AsyncKernelManager:
    """Return a manager for one kernel of this Python, not started yet."""
    return AsyncKernelManager(
        kernel_name="python3",
        client_class="jupyter_client.asynchronous.AsyncKernelClient",
        kernel_spec_manager=OwnPython(),
    )


def end(km: AsyncKernelManager, *, now: bool) -> None:
    """End the kernel of `km` where it is still there; `now`: without asking it."""
    if run_sync(km.is_alive)():
        run_sync(km.shutdown_kernel)(now=now)


def death(km: AsyncKernelManager, *, oom_kills_before: int | None) -> str:
    """Return how the kernel of `km` ended, in a sentence.

    `oom_kills_before` is what `oom_kills` said before it started.
    """
    process = getattr(km.provisioner, "process", None)
    code = process.wait(timeout=10) if process else None
    how = f"exit code {code}"
    if code is not None and code < 0:
        how = f"signal {signal.Signals(-code).name}"
    now = oom_kills()
    if now is not None and oom_kills_before is not None and now > oom_kills_before:
        how += "; out of memory: the system ended a process for it"
    elif code == -getattr(signal, "SIGKILL", 9):
        how += "; out of memory?"
    return f"the kernel died ({how})"


def oom_kills() -> int | None:
    """Return how often the system killed for memory in this process's control group; None where it does not say."""
    try:
        groups = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    for line in groups:
        _, controllers, group = line.split(":", 2)
        if controllers == "":  # version 2
            folder, name = Path("/sys/fs/cgroup"), "memory.events"
        elif "memory" in controllers.split(","):  # version 1
            folder, name = Path("/sys/fs/cgroup/memory"), "memory.oom_control"
        else:
            continue
        for place in (folder / group.strip("/") / name, folder / name):
            if place.is_file():
                words = place.read_text(encoding="utf-8").split()
                return int(words[words.index("oom_kill") + 1]) if "oom_kill" in words else None
    return None
