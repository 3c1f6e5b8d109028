"""Chapter 08's measurements on an NVIDIA GPU (without one, a model of it takes its place), and its two clocks."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

MIB = 2**20
SEEN = "import torch; print(*(torch.cuda.get_device_properties(i).uuid for i in range(torch.cuda.device_count())))"
LATE = """import os, torch; torch.zeros(1, device="cuda"); os.environ["CUDA_VISIBLE_DEVICES"] = ""
print(torch.cuda.device_count(), "device(s), a new tensor is on", torch.zeros(1, device="cuda").device)"""
SET = (
    'import torch; torch.cuda.set_device(torch.cuda.device_count() - 1); print(torch.ones(1, device="cuda").device)'
)
BEYOND = 'import torch; torch.zeros(1, device=f"cuda:{torch.cuda.device_count()}")'


def devices() -> list[str]:
    """Return a line for each visible CUDA device: number, name, free and whole memory."""
    lines = []
    for number in range(torch.cuda.device_count()):
        free, total = torch.cuda.mem_get_info(number)  # bytes
        name = torch.cuda.get_device_name(number)
        lines.append(f"cuda:{number} {name}: {free / 2**30:.1f} of {total / 2**30:.1f} GiB free")
    return lines


def children(child: Callable[..., str]) -> dict:
    """Ask real children: the GPUs each list shows, by physical number, and three things they say.

    `child(program, **environment)`: runs a program in a new Python and returns what it printed, or its error.
    """
    by_slot = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    every = child(SEEN, CUDA_VISIBLE_DEVICES=None, **by_slot).split()
    seen = {}
    for visible in ("2,3", "0,3,2"):
        shown = child(SEEN, CUDA_VISIBLE_DEVICES=visible, **by_slot).split()
        seen[visible] = [every.index(uuid) for uuid in shown]
    beyond = next((line for line in child(BEYOND).splitlines() if "ordinal" in line), "no error")
    told = {"emptied too late": child(LATE), "beyond the last": beyond, "after set_device": child(SET)}
    return {"GPUs": len(every), "seen": seen, **told}


def memory(device: torch.device) -> list[list]:
    """Return rows [when, allocated, reserved, taken], MiB, around the life of a tensor of 1 GiB."""
    rows = []

    def look(when):
        free, total = torch.cuda.mem_get_info(device)
        figures = torch.cuda.memory_allocated(device), torch.cuda.memory_reserved(device), total - free
        rows.append([when, *(round(value / MIB) for value in figures)])

    torch.cuda.empty_cache()
    look("before")
    tensor = torch.zeros(2**28, device=device)
    look("1 GiB tensor")
    del tensor
    look("deleted")
    torch.cuda.empty_cache()
    look("empty_cache()")
    return rows


def snapshot(model: nn.Module, inputs: torch.Tensor, path: Path) -> list[list]:
    """Return the three largest blocks that a forward pass leaves, as [MiB, the line that made it].

    What was in memory before is left out. The whole snapshot is kept as `path`, for pytorch.org/memory_viz.
    """
    torch.cuda.memory._record_memory_history(stacks="python")  # else a block's first frame is C++'s own unwinder
    outputs = model(inputs)
    segments = torch.cuda.memory._snapshot()["segments"]
    torch.cuda.memory._dump_snapshot(str(path))
    torch.cuda.memory._record_memory_history(enabled=None)
    del outputs
    live = [block for segment in segments for block in segment["blocks"] if block["state"] == "active_allocated"]
    return made_by(live)[:3]


def made_by(blocks: list[dict]) -> list[list]:
    """Return the blocks of a snapshot that were recorded, the largest first, as [MiB, the line that made it]."""
    rows = []
    for block in blocks:
        if frames := block.get("frames"):
            line = f"{frames[0]['name']} ({Path(frames[0]['filename']).name}:{frames[0]['line']})"
            rows.append([block["size"] / MIB, line])
    return sorted(rows, reverse=True)


def copies(plain: torch.Tensor, pinned: torch.Tensor, send: Callable, wait: Callable[[], object]) -> dict:
    """Return [milliseconds until the call returned, until the copy was done] for four ways to send a tensor.

    `send(source, non_blocking)`: starts the copy and returns it. `wait()`: returns when all copies are done.
    """
    rows = {}
    for name, source in (("plain", plain), ("pinned", pinned)):
        for non_blocking in (False, True):
            send(source, non_blocking)  # warm-up
            wait()
            start = time.perf_counter()
            copy = send(source, non_blocking)
            returned = time.perf_counter() - start
            wait()
            rows[f"{name}, non_blocking={non_blocking}"] = [1000 * returned, 1000 * (time.perf_counter() - start)]
            del copy
    return rows


def copies_to(device: torch.device) -> dict:
    """Return `copies` of 256 MiB to a CUDA device."""
    plain = torch.rand(2**26)

    def send(source, non_blocking):
        return source.to(device, non_blocking=non_blocking)

    return copies(plain, plain.pin_memory(), send, lambda: torch.cuda.synchronize(device))


def early_reading(device: torch.device) -> dict:
    """Return a number on the host, 0 before a copy from the GPU brings 1: read at once, and after a wait."""
    result, busy = torch.ones(2**26, device=device), torch.rand(4096, 4096, device=device)
    host = torch.zeros(2**26, pin_memory=True)
    for _ in range(20):
        busy @ busy  # the copy has to queue behind these
    host.copy_(result, non_blocking=True)
    early = host[-1].item()
    torch.cuda.synchronize(device)
    return {"read at once": early, "read after synchronize": host[-1].item()}


def processor() -> tuple[float, float, int]:
    """Return this process's seconds so far, its own and the operating system's for it, and its page faults.

    Windows does not count the faults: 0 there.
    """
    if os.name == "posix":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        return used.ru_utime, used.ru_stime, used.ru_minflt
    times = os.times()
    return times.user, times.system, 0
