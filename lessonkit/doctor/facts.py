"""What the doctor looks at: plain values measured here, so that a test can imitate any machine."""

import ctypes
import platform
import shutil
import sys
import webbrowser
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module

import psutil

from course_utils import machine
from lessonkit.doctor import ground
from lessonkit.doctor.installed import missing
from lessonkit.system import limits
from lessonkit.system.loopback import why_no_loopback
from lessonkit.system.place import HOME
from lessonkit.system.writable import nearest, why_not_writable

FOLDERS = ("notebooks", "results", "build", "data/cache")


@dataclass(frozen=True, kw_only=True)
class Facts:
    """One machine. Sizes are in bytes; a text under `…_error` is why something failed, empty where it did not."""

    system: str
    python: tuple[int, int, int]
    processor: str = ""  # its kind, "x86_64"
    missing: tuple[str, ...] = ()  # packages that the course asks for
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
    work_seconds: float | None = None  # of `machine.work_seconds`
    memory_free: int = 0
    memory_total: int = 0
    shared_memory_free: int | None = None  # None where the system has no /dev/shm by design
    disk_free: int = 0
    folders: dict[str, str] = field(default_factory=dict)  # folder -> why nothing can be written there, or ""
    loopback_error: str = ""
    data: dict[str, tuple[str, str]] = field(default_factory=dict)  # name -> (full, sample, none or damaged; why)
    browser: str | None = None
    path: tuple[str, ...] = ()  # what is odd in the course's path, in words
    case_counts: bool = True  # whether `A` and `a` are two names where the course lies
    encoding: str = "utf-8"  # of text, where a program names none
    home_error: str = ""
    now: datetime = ground.EDITION
    git: bool = True
    compiler: str | None = ground.COMPILER
    proxy: str = ""  # kinds of address it is set for, "http and https"
    proxy_error: str = ""  # why no data comes through it


def gather() -> Facts:
    """Return the facts of this machine; takes some seconds, most of them to import torch and torchvision."""
    memory = psutil.virtual_memory()
    return Facts(
        system=platform.system(),
        python=sys.version_info[:3],
        processor=platform.machine(),
        missing=missing(),
        driver=cuda_driver(),
        cores=machine.cores(),
        quota=limits.cpu_quota(),
        memory_free=min(memory.available, limits.memory_limit()),
        memory_total=memory.total,
        shared_memory_free=limits.shared_memory(),
        disk_free=shutil.disk_usage(nearest(HOME)).free,
        folders={name: why_not_writable(HOME / name) for name in FOLDERS},
        loopback_error=why_no_loopback(),
        browser=browser(),
        **ground.measured(),
        **torch_facts(),
    )


def torch_facts() -> dict[str, object]:
    """Return the facts that need torch; a torch or torchvision that cannot be imported is one of them."""
    if error := why_no_import("torch"):
        return {"torch_error": error}
    import torch  # here, so that a broken installation is reported and not a traceback

    return {
        "torch": torch.__version__,
        "torchvision": machine.versions("torchvision").get("torchvision"),
        "torchvision_error": why_no_import("torchvision"),
        "cuda_build": torch.version.cuda,
        "cuda_works": torch.cuda.is_available(),
        "mps_works": torch.backends.mps.is_available(),
        "gpus": tuple(gpus()),
        "threads": torch.get_num_threads(),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "bf16_in_hardware": machine.bf16_in_hardware(),
        "work_seconds": machine.work_seconds(repeats=30),
        "data": data(),
        **ground.proxy(),
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
    from course_utils import datasets

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


def browser() -> str | None:
    """Return the name of the browser that would be opened, None where there is none."""
    try:
        return getattr(webbrowser.get(), "name", "default")
    except webbrowser.Error:
        return None
