"""What the machine under a report is, in figures that two reports can be compared by."""

import os
import platform
import time

import torch


def describe() -> dict[str, object]:
    """Cores, threads, instruction set, measured float32 rate, versions and accelerator; takes about 0.2 s."""
    return {
        "cores": cores(),
        "threads": torch.get_num_threads(),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "bf16_in_hardware": bf16_in_hardware(),
        "matmul_gflops": round(matmul_rate(torch.float32), 1),
        "os": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "torch": torch.__version__,
        "torchvision": torchvision_version(),
        "accelerator": accelerator(),
    }


def cores() -> int:
    """Cores this process may use (an affinity mask is respected where the system has one)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def matmul_rate(dtype: torch.dtype, *, size: int = 1024, seconds: float = 0.1) -> float:
    """Rate of a square matrix product on the CPU, in GFLOP/s: the best of as many as fit into `seconds`.

    The best and not the mean, so that a neighbour's burst of work counts less.
    """
    a = torch.ones(size, size, dtype=dtype)
    a @ a  # the first product allocates and picks its kernel
    best, end = float("inf"), time.perf_counter() + seconds
    while True:
        start = time.perf_counter()
        a @ a
        now = time.perf_counter()
        best = min(best, now - start)
        if now >= end:
            return 2 * size**3 / best / 1e9


def bf16_in_hardware() -> bool:
    """Whether the CPU multiplies bfloat16 itself, instead of imitating it at a fraction of the speed.

    Read from torch's list of CPU features; a torch without that list is timed: at least half the float32 rate.
    """
    features = getattr(torch.cpu, "get_capabilities", dict)()
    if features:
        return any(there is True for name, there in features.items() if "bf16" in name)
    slow = 256  # imitated, a larger product would take a second
    rates = [matmul_rate(dtype, size=slow, seconds=0.02) for dtype in (torch.bfloat16, torch.float32)]
    return rates[0] > rates[1] / 2


def accelerator() -> str | None:
    """Name of the accelerator torch can use (`"NVIDIA H100 (cuda)"`, `"mps"`), or None."""
    if torch.cuda.is_available():
        return f"{torch.cuda.get_device_name()} (cuda)"
    return "mps" if torch.backends.mps.is_available() else None


def torchvision_version() -> str | None:
    """Version of the installed torchvision, or None; read without importing it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("torchvision")
    except PackageNotFoundError:
        return None
