"""What the course looks at on a machine: plain values measured here, so that a test can imitate any machine."""

import ctypes
import os
import platform
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module

from course_utils import machine
from lessonkit.system import limits
from lessonkit.system.versions import versions

COMPILER = {"darwin": "clang++", "win32": "cl"}.get(sys.platform, "g++")  # what torch.compile calls for a CPU


@dataclass(frozen=True, kw_only=True)
class Machine:
    """One machine. A text under `…_error` is why something failed, empty where it did not."""

    system: str
    torch: str | None = None
    torch_error: str = ""
    torchvision: str | None = None
    torchvision_error: str = ""
    cuda_build: str | None = None
    cuda_works: bool = False
    mps_works: bool = False
    gpus: tuple[str, ...] = ()  # "NVIDIA H200, 139.8 GiB"
    driver: int | None = None  # the newest CUDA the NVIDIA driver can run, 13020 for 13.2; None without a driver
    cores: int = 1
    quota: float | None = None  # cores a container may use, where it has a limit
    threads: int | None = None
    cpu_capability: str | None = None
    bf16_in_hardware: bool | None = None
    git: bool = True
    compiler: str | None = COMPILER
    data: dict[str, tuple[str, str]] = field(default_factory=dict)  # name -> (full, sample, none or damaged; why)


def measure() -> Machine:
    """Return the facts of this machine; takes some seconds, most of them to import torch and torchvision."""
    return Machine(
        system=platform.system(),
        driver=cuda_driver(),
        cores=limits.cores(),
        quota=limits.cpu_quota(),
        git=shutil.which("git") is not None,
        compiler=compiler(os.environ),
        **torch_facts(),
    )


def torch_facts() -> dict[str, object]:
    """Return the facts that need torch; a torch or torchvision that cannot be imported is one of them."""
    if error := why_no_import("torch"):
        return {"torch_error": error}
    import torch  # here, so that a broken installation is reported and not a traceback

    return {
        "torch": torch.__version__,
        "torchvision": versions("torchvision").get("torchvision"),
        "torchvision_error": why_no_import("torchvision"),
        "cuda_build": torch.version.cuda,
        "cuda_works": torch.cuda.is_available(),
        "mps_works": torch.backends.mps.is_available(),
        "gpus": tuple(gpus()),
        "threads": torch.get_num_threads(),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "bf16_in_hardware": machine.bf16_in_hardware(),
        "data": data(),
    }


def gpus() -> list[str]:
    """Return the NVIDIA or AMD GPUs that torch sees, each with its memory."""
    import torch

    if not torch.cuda.is_available():
        return []
    found = [torch.cuda.get_device_properties(number) for number in range(torch.cuda.device_count())]
    return [f"{gpu.name}, {gpu.total_memory / (1 << 30):.1f} GiB" for gpu in found]


def data() -> dict[str, tuple[str, str]]:
    """Return which source each data set would come from without a download, and why."""
    from course_utils import datasets  # imports torch

    found = {}
    for name in datasets.names():
        try:
            found[name] = datasets.available(name)
        except datasets.DataError as error:
            found[name] = ("damaged", str(error))
    return found


def why_no_import(module: str) -> str:
    """Return the first line of the error that importing a module ends with, with its type; empty where it works."""
    try:
        import_module(module)
    except (ImportError, OSError, RuntimeError) as error:  # a torchvision built for another torch: RuntimeError
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def cuda_driver() -> int | None:
    """Return the newest CUDA the NVIDIA driver can run, 13020 for 13.2, asked of the driver; None without one."""
    try:
        library = ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return None
    version = ctypes.c_int(0)
    return version.value if library.cuDriverGetVersion(ctypes.byref(version)) == 0 else None


def compiler(environment: Mapping[str, str]) -> str | None:
    """Return the C++ compiler that `torch.compile` would call for a CPU, None where it is not on the path."""
    name = environment.get("CXX") or COMPILER
    return name if shutil.which(name.split()[0]) else None
