"""The device that a notebook uses, the CUDA device with the most free memory, and how to wait for a device."""

import warnings

import torch


def device_types() -> list[str]:
    """Return the device types that torch can use here, out of "cuda", "mps" and "cpu", the best one first.

    >>> device_types()[-1]  # the CPU is always there
    'cpu'
    """
    usable = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    return [name for name, is_usable in usable.items() if is_usable]


def get_device(name: str | None = None) -> torch.device:
    """Return the device that `name` asks for, or the best one here: CUDA, then MPS, then the CPU.

    `name`: None or "auto" for the best one, or a device string such as "cpu" or "cuda:1". Raises RuntimeError if
    that device is not available.

    >>> get_device("cpu")
    device(type='cpu')
    >>> model = torch.nn.Linear(2, 1).to(get_device())
    """
    types = device_types()
    if name is None or name == "auto":
        return torch.device(types[0])
    device = torch.device(name)
    if device.type in ("cuda", "mps") and device.type not in types:
        raise RuntimeError(
            f"Device {name!r} was asked for, but torch {torch.__version__} finds none here. "
            "Set DEVICE = None to take what there is; `course doctor` says what is missing."
        )
    return device


def synchronize(device: torch.device) -> None:
    """Wait until the device has finished all work that was launched; on the CPU there is nothing to wait for.

    >>> device = get_device()
    >>> total = torch.ones(1000, device=device).sum()
    >>> synchronize(device)  # a clock that is read now includes the sum
    """
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()


def free_memory(device: torch.device) -> int:
    """Return the number of free bytes, of the accelerator's memory or, for the CPU, of the machine's.

    >>> free_memory(torch.device("cpu")) > 2**20
    True
    """
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0]
    if device.type == "mps":
        return torch.mps.recommended_max_memory() - torch.mps.driver_allocated_memory()
    import psutil  # the import takes 7 ms, and only this function needs it

    return psutil.virtual_memory().available


def freest_cuda() -> torch.device:
    """Return the CUDA device with the most free memory, numbered as in this process; of equal ones the first.

    This starts a CUDA context on every visible GPU; `chapters.gpu` reads the memory without one. A GPU that does
    not answer is left out with a warning. Raises RuntimeError if none answers.

    >>> device = freest_cuda() if torch.cuda.device_count() > 1 else get_device()
    """
    free, silent = {}, []
    for number in range(torch.cuda.device_count()):
        try:
            free[number] = torch.cuda.mem_get_info(number)[0]
        except RuntimeError as error:  # what torch raises for a GPU that has disappeared
            silent.append(f"cuda:{number} does not answer ({str(error).splitlines()[0]})")
    if not free:
        why = "; ".join(silent) or "torch sees none"
        raise RuntimeError(f"No CUDA device to choose: {why}. `course doctor` says what is missing.")
    if silent:
        warnings.warn(f"Left out: {'; '.join(silent)}.", stacklevel=2)
    return torch.device("cuda", max(free, key=free.get))
