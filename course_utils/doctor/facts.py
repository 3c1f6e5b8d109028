"""What the doctor looks at: plain values measured here, so that a test can imitate any machine."""

import ctypes
import platform
import shutil
import socket
import sys
import tempfile
import webbrowser
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import psutil

from course_utils import PROJECT, machine
from course_utils.system import limits

FOLDERS = ("notebooks", "results", "build", "data/cache")


@dataclass(frozen=True, kw_only=True)
class Facts:
    """One machine. Sizes are in bytes; a text under `…_error` is why something failed, empty where it did not."""

    system: str
    python: tuple[int, int, int]
    torch: str | None = None
    torch_error: str = ""
    torchvision: str | None = None
    torchvision_error: str = ""
    cuda_build: str | None = None
    cuda_works: bool = False
    mps_works: bool = False
    driver: int | None = None  # the newest CUDA the NVIDIA driver can run, 13020 for 13.2; None without a driver
    cores: int = 1
    quota: float | None = None  # cores a container may use, where it has a limit
    threads: int | None = None
    cpu_capability: str | None = None
    bf16_in_hardware: bool | None = None
    work_seconds: float | None = None  # of `machine.work_seconds`
    memory_free: int = 0
    shared_memory_free: int | None = None  # None where the system has no /dev/shm by design
    disk_free: int = 0
    folders: dict[str, str] = field(default_factory=dict)  # folder -> why nothing can be written there, or ""
    loopback_error: str = ""
    data: dict[str, tuple[str, str]] = field(
        default_factory=dict
    )  # name -> ("full"|"sample"|"none"|"damaged", why)
    browser: str | None = None


def gather() -> Facts:
    """Return the facts of this machine; takes some seconds, most of them to import torch and torchvision."""
    return Facts(
        system=platform.system(),
        python=sys.version_info[:3],
        driver=cuda_driver(),
        cores=machine.cores(),
        quota=limits.cpu_quota(),
        memory_free=min(psutil.virtual_memory().available, limits.memory_limit()),
        shared_memory_free=limits.shared_memory(),
        disk_free=shutil.disk_usage(PROJECT).free,
        folders={name: why_not_writable(PROJECT / name) for name in FOLDERS},
        loopback_error=why_no_loopback(),
        browser=browser(),
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
        "threads": torch.get_num_threads(),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "bf16_in_hardware": machine.bf16_in_hardware(),
        "work_seconds": machine.work_seconds(repeats=30),
        "data": data(),
    }


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


def why_not_writable(folder: Path) -> str:
    """Return why no file can be made in the folder, or in the one it would be made in; empty where one can."""
    while not folder.exists():
        folder = folder.parent
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def why_no_loopback() -> str:
    """Return why no local server (kernel, JupyterLab, TensorBoard) can be reached; empty where one can."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.create_connection(server.getsockname(), timeout=2).close()
    except OSError as error:
        return str(error)
    return ""


def browser() -> str | None:
    """Return the name of the browser that would be opened, None where there is none."""
    try:
        return getattr(webbrowser.get(), "name", "default")
    except webbrowser.Error:
        return None
