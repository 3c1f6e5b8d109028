"""The machine behind a report, in figures by which two reports can be compared.

The functions import torch themselves, so that this module can be imported if torch is broken.
"""

import platform
import time
from typing import TYPE_CHECKING

from lessonkit.system.limits import cores
from lessonkit.system.versions import versions

if TYPE_CHECKING:
    import torch


def describe() -> dict[str, object]:
    """Return cores, threads, instruction set, float32 speed (GFLOP/s), versions and accelerator; takes 0.2 s.

    >>> sorted(describe())[:4]
    ['accelerator', 'bf16_in_hardware', 'cores', 'cpu_capability']
    """
    import torch

    packages = ("python", "torch", "torchvision")
    return {
        "cores": cores(),
        "threads": torch.get_num_threads(),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "bf16_in_hardware": bf16_in_hardware(),
        "matmul_gflops": round(matmul_rate(torch.float32), 1),
        "os": f"{platform.system()} {platform.release()} {platform.machine()}",
        **dict.fromkeys(packages),
        **versions(*packages),
        "accelerator": accelerator(),
    }


def matmul_rate(dtype: "torch.dtype", *, size: int = 1024, seconds: float = 0.1) -> float:
    """Return the speed of a `size` x `size` matrix product on the CPU, in GFLOP/s: the best within `seconds`.

    The best value is less sensitive to other programs than the mean.

    >>> import torch
    >>> matmul_rate(torch.float32, size=64, seconds=0.01) > 0
    True
    """
    import torch

    a = torch.ones(size, size, dtype=dtype)
    a @ a  # the first product also allocates memory and chooses a kernel
    best, end = float("inf"), time.perf_counter() + seconds
    while True:
        start = time.perf_counter()
        a @ a
        now = time.perf_counter()
        best = min(best, now - start)
        if now >= end:
            return 2 * size**3 / best / 1e9


def work_seconds(*, repeats: int = 10) -> float:
    """Return the seconds of a piece of work like that of the chapters, on one thread: the best of `repeats`.

    The work is a training step of a small convolutional model and a matrix product, about 20 ms. It uses no random
    number generator and restores torch's number of threads. It runs on one thread, because two threads on a busy
    machine wait for each other.

    >>> 0 < work_seconds(repeats=1) < 60
    True
    """
    import torch
    from torch.nn import functional as F

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    images, matrix = torch.full((64, 1, 28, 28), 0.5), torch.full((512, 512), 0.5)
    first, second = (torch.full(shape, 0.01, requires_grad=True) for shape in ((16, 1, 3, 3), (32, 16, 3, 3)))
    taken = []
    try:
        for _ in range(repeats + 1):
            start = time.perf_counter()
            hidden = F.max_pool2d(F.conv2d(images, first, padding=1).relu(), 2)
            F.conv2d(hidden, second, padding=1).square().mean().backward()
            matrix @ matrix
            taken.append(time.perf_counter() - start)
    finally:
        torch.set_num_threads(threads)
    return min(taken[1:])  # the first one also allocates memory and chooses kernels


def bf16_in_hardware() -> bool:
    """Return whether the CPU multiplies bfloat16 in hardware, instead of emulating it much more slowly.

    This is read from torch's list of CPU features. Without that list the product is timed, and bfloat16 counts as
    supported if it reaches half the float32 speed.

    >>> bf16_in_hardware() in (True, False)
    True
    """
    import torch

    features = getattr(torch.cpu, "get_capabilities", dict)()
    if features:
        return any(there is True for name, there in features.items() if "bf16" in name)
    slow = 256  # if bfloat16 is emulated, a larger product would take a second
    rates = [matmul_rate(dtype, size=slow, seconds=0.02) for dtype in (torch.bfloat16, torch.float32)]
    return rates[0] > rates[1] / 2


def accelerator() -> str | None:
    """Return the name of the accelerator that torch can use (`"NVIDIA H100 (cuda)"`, `"mps"`), or None.

    >>> isinstance(accelerator(), str | None)  # "NVIDIA H200 (cuda)", "mps", or None
    True
    """
    import torch

    from course_utils.device import device_types

    best = device_types()[0]
    if best == "cuda":
        return f"{torch.cuda.get_device_name()} (cuda)"
    return None if best == "cpu" else best
