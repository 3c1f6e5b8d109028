"""MNIST by `DataLoader`, sample by sample, against the whole set as one tensor.

    python benchmarks/loader.py

Both give shuffled batches of 64 normalised pictures. The loader calls `ToTensor` and `Normalize` for each sample,
with 0, 1 and 2 worker processes, of which the quickest counts; the workers are started before the clock. The tensor
is normalised once, before the clock (`prepare_seconds`), and rows are picked with `index_select`, batch by batch;
`ratio_by_brackets` is the same with `images[indices]`, which does more work for each call. The main process has one
thread, so that no batch of ours waits for a core that others use. A loader's epoch is run to its end, so that no
worker still reads ahead while the tensor is timed. Five runs, the ways taking turns. The last line is JSON;
`samples_per_second_ratio` is the median. Exit status 1 where it misses the goal: is the machine busy?
"""

import json
import statistics
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import torch
import torchvision
from torch.utils.data import DataLoader, RandomSampler
from torchvision import transforms

from course_utils import PROJECT, datasets, machine

RUNS, BATCH_SIZE, BATCHES, EPOCHS = 5, 64, 150, 5
MEAN, STD = 0.1307, 0.3081
ROWS = tomllib.loads((PROJECT / "benchmarks" / "benchmarks.toml").read_text(encoding="utf-8"))
GOAL = ROWS["loader"]["figures"][0]["goal"]


def loaders(root):
    """{number of workers: loader}, each run once."""
    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((MEAN,), (STD,))])
    digits = torchvision.datasets.MNIST(root, transform=transform)
    options = {"multiprocessing_context": "spawn", "persistent_workers": True, "timeout": 120}
    made = {
        workers: DataLoader(
            digits,
            BATCH_SIZE,
            sampler=RandomSampler(digits, num_samples=BATCH_SIZE * BATCHES),
            num_workers=workers,
            **(options if workers else {}),
        )
        for workers in (0, 1, 2)
    }
    for loader in made.values():
        loader_rate(loader)
    return digits, made


def loader_rate(loader):
    """Samples per second over BATCHES shuffled batches."""
    start, count = time.perf_counter(), 0
    for images, _ in loader:
        count += len(images)
    return count / (time.perf_counter() - start)


def tensor_rate(images, targets, *, brackets=False):
    """Samples per second over EPOCHS epochs of the whole set."""
    start, count = time.perf_counter(), 0
    batches = (batch for _ in range(EPOCHS) for batch in torch.randperm(len(images)).split(BATCH_SIZE))
    for indices in batches:
        if brackets:
            batch, _ = images[indices], targets[indices]
        else:
            batch, _ = images.index_select(0, indices), targets.index_select(0, indices)
        count += len(batch)
    return count / (time.perf_counter() - start)


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as root:
        source = datasets.unpack("mnist", root)
        digits, made = loaders(Path(root))
        start = time.perf_counter()
        images = (digits.data.unsqueeze(1).float() / 255 - MEAN) / STD  # (N, 1, 28, 28)
        prepare = time.perf_counter() - start
        assert torch.allclose(images[:50], torch.stack([digits[i][0] for i in range(50)]), atol=1e-6)
        rows = []
        for run in range(1, RUNS + 1):
            rates = {workers: loader_rate(loader) for workers, loader in made.items()}
            tensor = tensor_rate(images, digits.targets)
            brackets = tensor_rate(images, digits.targets, brackets=True)
            best = max(rates, key=rates.get)
            rows.append((tensor / rates[best], best, rates, tensor, brackets / rates[best]))
            shown = ", ".join(f"{workers} workers {rate:,.0f}" for workers, rate in rates.items())
            print(f"run {run}: {shown}, one tensor {tensor:,.0f} samples/s: {tensor / rates[best]:.0f} times")
        made.clear()  # ends the workers
    ratios = [row[0] for row in rows]
    facts = machine.describe()
    result = {
        "benchmark": "loader",
        "samples_per_second_ratio": round(statistics.median(ratios), 1),
        "low": round(min(ratios), 1),
        "high": round(max(ratios), 1),
        "runs": RUNS,
        "ratio_by_brackets": round(statistics.median(row[4] for row in rows), 1),
        "goal": GOAL,
        "threads": 1,
        "best_workers": [row[1] for row in rows],
        "loader_samples_per_second": round(statistics.median(max(row[2].values()) for row in rows)),
        "tensor_samples_per_second": round(statistics.median(row[3] for row in rows)),
        "prepare_seconds": round(prepare, 3),
        "data": source,
        "machine": {key: facts[key] for key in ("cores", "cpu_capability", "os", "python", "torch", "torchvision")},
    }
    print(json.dumps(result))
    return 0 if result["samples_per_second_ratio"] >= result["goal"] else 1


if __name__ == "__main__":
    sys.exit(main())
