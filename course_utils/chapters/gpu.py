"""Find the GPUs of this machine by its driver (NVML), and the numbers by which a process sees them.

NVML asks without starting CUDA: no context is made on any GPU, and GPUs hidden from this process are listed too.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

import pynvml


class GpuError(Exception):
    """No GPU to choose, or a number that means none."""


@dataclass(frozen=True)
class Gpu:
    """One GPU, or one MIG slice of it; sizes in bytes.

    `number`: physical, as nvidia-smi counts (a slice has its GPU's). `fault`: why it cannot be used, or "".
    """

    number: int
    uuid: str
    name: str
    total: int = 0
    free: int = 0
    fault: str = ""


def survey(nvml: ModuleType = pynvml) -> list[Gpu]:
    """List every GPU that the driver knows, those that have disappeared included; a sliced GPU as its MIG slices.

    Empty where there is no NVIDIA driver. `nvml`: the module to ask. Raises GpuError where the driver is there and
    does not answer.
    """
    try:
        nvml.nvmlInit()
    except (nvml.NVMLError_LibraryNotFound, nvml.NVMLError_DriverNotLoaded):
        return []
    except nvml.NVMLError as error:
        raise GpuError(
            f"NVML does not start ({error}), expected a driver that answers; run `nvidia-smi`: a driver updated "
            "under a running system asks for a restart."
        ) from error
    try:
        return [gpu for number in range(nvml.nvmlDeviceGetCount()) for gpu in _one(nvml, number)]
    finally:
        nvml.nvmlShutdown()


def physical_numbers(visible: str | None, uuids: Sequence[str]) -> list[int]:
    """Return the physical number of each logical device: its index in `uuids`, which are in nvidia-smi's order.

    `visible`: the value of CUDA_VISIBLE_DEVICES, or None where it is unset. By CUDA's rules: the first entry that
    means no GPU ends the list; an entry met twice leaves none. Numbers mean nvidia-smi's order only under
    CUDA_DEVICE_ORDER=PCI_BUS_ID, or where all GPUs are alike.
    """
    if visible is None:
        return list(range(len(uuids)))
    found, by_uuid = [], visible.startswith(("GPU-", "MIG-"))
    for entry in visible.split(","):
        number = _by_uuid(entry, uuids, visible[:4]) if by_uuid else _by_number(entry, len(uuids))
        if number is None:
            break
        if number in found:
            return []
        found.append(number)
    return found


def physical_of(visible: str | None, logical: int, *, uuids: Sequence[str]) -> int:
    """Return the physical number of `cuda:<logical>`. Raises GpuError where a process would find no such device."""
    numbers = physical_numbers(visible, uuids)
    if not 0 <= logical < len(numbers):
        raise GpuError(
            f"cuda:{logical} is not there: CUDA_VISIBLE_DEVICES={visible!r} leaves {len(numbers)} of {len(uuids)} "
            "GPUs; logical numbers start at 0 in every process."
        )
    return numbers[logical]


def in_view(gpus: Sequence[Gpu], environment: Mapping[str, str] = os.environ) -> list[Gpu]:
    """Return those of a survey that a process with this environment sees, in the order of its logical numbers.

    Raises GpuError where the numbers would be guesses: GPUs of several kinds in CUDA's order (fastest first), or
    MIG slices without their UUID.
    """
    visible = environment.get("CUDA_VISIBLE_DEVICES")
    by_uuid = visible is not None and visible.startswith(("GPU-", "MIG-"))
    if not by_uuid and len(gpus) > 1 and any(gpu.uuid.startswith("MIG-") for gpu in gpus):
        slices = ", ".join(gpu.uuid for gpu in gpus if gpu.uuid.startswith("MIG-"))
        raise GpuError(
            f"A MIG slice has no number: found CUDA_VISIBLE_DEVICES={visible!r}, expected one of {slices}; a "
            "process sees one slice."
        )
    in_pci_order = environment.get("CUDA_DEVICE_ORDER") == "PCI_BUS_ID"
    if not by_uuid and visible != "" and not in_pci_order and len({gpu.name for gpu in gpus if gpu.name}) > 1:
        kinds = ", ".join(sorted({gpu.name for gpu in gpus if gpu.name}))
        raise GpuError(
            f"Found GPUs of several kinds ({kinds}), which CUDA numbers fastest first and nvidia-smi by slot; "
            "set CUDA_DEVICE_ORDER=PCI_BUS_ID before CUDA starts, or name GPUs by UUID."
        )
    numbers = physical_numbers(visible, [gpu.uuid for gpu in gpus])
    return [gpus[number] for number in numbers]


def freest(gpus: Sequence[Gpu]) -> Gpu:
    """Return the GPU with the most free bytes; of equals the first. Raises GpuError where none can be used."""
    usable = [gpu for gpu in gpus if not gpu.fault]
    if not usable:
        why = "; ".join(f"GPU {gpu.number}: {gpu.fault}" for gpu in gpus) or "the list is empty"
        raise GpuError(f"No GPU can be chosen ({why}); take the CPU, or look at `nvidia-smi`.")
    return max(usable, key=lambda gpu: gpu.free)


def _one(nvml, number):
    """Return GPU `number` as a list: itself, or its slices."""
    uuid = name = ""
    try:
        handle = nvml.nvmlDeviceGetHandleByIndex(number)
        uuid, name = nvml.nvmlDeviceGetUUID(handle), nvml.nvmlDeviceGetName(handle)
        if not _is_sliced(nvml, handle):
            memory = nvml.nvmlDeviceGetMemoryInfo(handle)
            return [Gpu(number, uuid, name, memory.total, memory.free)]
        slices = []
        for index in range(nvml.nvmlDeviceGetMaxMigDeviceCount(handle)):
            try:
                one = nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, index)
            except nvml.NVMLError_NotFound:
                continue  # indices are counted whether or not a slice was made
            memory = nvml.nvmlDeviceGetMemoryInfo(one)
            slices.append(Gpu(number, nvml.nvmlDeviceGetUUID(one), f"{name} slice", memory.total, memory.free))
        return slices or [Gpu(number, uuid, name, fault="MIG is on, and no slice has been made")]
    except nvml.NVMLError as error:
        return [Gpu(number, uuid, name, fault=str(error))]


def _is_sliced(nvml, handle):
    try:
        return nvml.nvmlDeviceGetMigMode(handle)[0] == 1
    except nvml.NVMLError_NotSupported:
        return False  # most GPUs know no MIG


def _by_number(entry, count):
    """Return the number an entry begins with (CUDA reads `1gpu` as 1), or None where the machine has none such."""
    digits = re.match(r"\s*\+?(\d+)", entry)
    return int(digits[1]) if digits and int(digits[1]) < count else None


def _by_uuid(entry, uuids, kind):
    """Return the index of the GPU whose UUID begins so, or None: none, several, or an entry of another kind."""
    begins = [number for number, uuid in enumerate(uuids) if uuid.startswith(entry)]
    return begins[0] if entry.startswith(kind) and len(begins) == 1 else None
