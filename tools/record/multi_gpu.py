"""Keep what `DataParallel` costs against DDP, on two GPUs, as data/recorded/multi_gpu.json.

    python tools/record/multi_gpu.py

ResNet-18 with a 3x3 stem and one channel, as chapter 10's cells make it, 256 pictures of 28x28 a step: on one GPU,
on two by `DataParallel`, on two by DDP (128 pictures a rank, NCCL); and the error of a model left on the CPU. No
chapter shows the record yet. Exit status: 0 recorded, 1 there is one GPU, 2 there is none; then nothing is written,
and an earlier record stays.
"""

import argparse
import ast
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
import torch
import torch.nn.functional as F
from gpu import NoRecord, main
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from course_utils import PROJECT, recorded
from course_utils.launch import run_ranks

NOTEBOOK = PROJECT / "notebooks" / "10_multi_gpu.ipynb"
BATCH, STEPS, WARM = 256, 30, 5
WHAT = "ResNet-18 (3x3 stem, 1 channel), 256 pictures of 28x28 a step, SGD: median of 30 steps, two GPUs, run once."


def chapters(*names: str) -> Callable[..., nn.Module]:
    """Return the last of chapter 10's definitions by these names; the others are what it uses."""
    space = {"__name__": NOTEBOOK.stem, "SEED": 0, "torch": torch, "nn": nn, "F": F}
    cells = [cell.source for cell in nbformat.read(NOTEBOOK, 4).cells if cell.cell_type == "code"]
    for name in names:
        (cell,) = [cell for cell in cells if re.search(rf"^(?:def|class) {name}\(", cell, re.MULTILINE)]
        (node,) = [node for node in ast.parse(cell).body if getattr(node, "name", None) == name]
        exec(compile(ast.Module([node], type_ignores=[]), NOTEBOOK.name, "exec"), space)
    return space[names[-1]]


make_resnet = chapters("Residual", "make_resnet")


def milliseconds(model: nn.Module, size: int, device: torch.device) -> float:
    """Return the median milliseconds of a training step on `size` random pictures."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    images, targets = torch.randn(size, 1, 28, 28, device=device), torch.arange(size, device=device) % 10
    seconds = []
    for _ in range(WARM + STEPS):
        torch.cuda.synchronize(device)
        start = time.perf_counter()
        optimizer.zero_grad()
        F.cross_entropy(model(images), targets).backward()
        optimizer.step()
        torch.cuda.synchronize(device)
        seconds.append(time.perf_counter() - start)
    return 1000 * statistics.median(seconds[WARM:])


def ddp_milliseconds(rank: int) -> float:
    """Return the same by DDP, on this rank's GPU with its half of the batch."""
    torch.cuda.set_device(rank)
    ddp = DistributedDataParallel(make_resnet().to(rank), device_ids=[rank])
    return milliseconds(ddp, BATCH // 2, torch.device("cuda", rank))


def figures() -> dict[str, str]:
    """Return the rows for the chapter: name -> a sentence."""
    first = torch.device("cuda", 0)
    one = milliseconds(make_resnet().to(first), BATCH, first)
    both = milliseconds(nn.DataParallel(make_resnet().to(first), device_ids=[0, 1]), BATCH, first)
    ddp = max(run_ranks(ddp_milliseconds, 2, timeout=300, backend="nccl"))
    try:
        nn.DataParallel(make_resnet(), device_ids=[0, 1])(torch.zeros(4, 1, 28, 28))
        said = "no error"
    except RuntimeError as error:
        said = str(error).splitlines()[0]
    return {
        "one GPU": f"{one:.1f} ms a step",
        "DataParallel, two GPUs": f"{both:.1f} ms a step, x {one / both:.2f}",
        "DDP, two GPUs": f"{ddp:.1f} ms a step, x {one / ddp:.2f}",
        "a model left on the CPU": said,
    }


def record(*, folder: Path = recorded.FOLDER) -> Path:
    """Measure and keep; return the path of the record. Raises NoRecord and writes nothing where it cannot."""
    if (count := torch.cuda.device_count()) < 2:
        raise NoRecord(f"Found {count} GPUs that torch can use through CUDA, expected two: nothing to record.")
    return recorded.write("multi_gpu", what=WHAT, figures=figures(), folder=folder)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    sys.exit(main(record, None))
