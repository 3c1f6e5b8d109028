"""What the course's helpers cost: `training.fit` against the same loop written bare, and `import course_utils`.

    python benchmarks/overhead.py [--rounds 30] [--import-runs 3]

`fit_ratio`: chapter 05's LeNet, batches of 64 pictures of MNIST, two epochs of 40 steps with an evaluation of 512
pictures after each, on the CPU with torch's own number of threads. In every round the bare loop runs between `fit`
without a progress bar and `fit` with one, which change places from round to round; all three start from the same
seed and must end with the same weights, bit for bit. A ratio is that of neighbours. `fit_ratio` is the median
over the rounds without a bar, `fit_low` and `fit_high` its 95 % interval (order statistics, so no distribution is
assumed); `bar_*` the same with tqdm's bar for terminals. The first round is a warm-up and is not counted.

`import_ms`: the course's own imports of a notebook, timed in a fresh process after `import torch` and all other
imports of that notebook (matplotlib, which the notebook needs anyway, is not ours). The lowest of the runs, as
other work on the machine can only add; of all chapters the dearest. `package_ms` is `import course_utils` alone.

The last line is JSON. Exit status 1 where a goal is missed, 2 where the data or a package is missing.
"""

import argparse
import ast
import contextlib
import gc
import io
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time
import tomllib

import torch
import torch.nn.functional as F
from torch import nn

from course_utils import PROJECT, datasets, machine
from course_utils.seed import set_seed
from course_utils.training import fit

NOTEBOOKS = PROJECT / "notebooks"
SEED, BATCH_SIZE, STEPS, VALIDATION, EPOCHS = 0, 64, 40, 512, 2
ROWS = tomllib.loads((PROJECT / "benchmarks" / "benchmarks.toml").read_text(encoding="utf-8"))
GOALS = {figure["key"]: figure["goal"] for figure in ROWS["overhead"]["figures"]}  # each: at most
DEVICE = torch.device("cpu")


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 20, kernel_size=5)
        self.conv2 = nn.Conv2d(20, 50, kernel_size=5)
        self.fc1 = nn.Linear(50 * 4 * 4, 500)
        self.fc2 = nn.Linear(500, 10)

    def forward(self, x):  # (N, 1, 28, 28)
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)  # (N, 20, 12, 12)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)  # (N, 50, 4, 4)
        return self.fc2(F.relu(self.fc1(x.flatten(1))))  # (N, 10)


class Batches:
    """The whole set as one tensor; every pass yields batches of it in a new order."""

    def __init__(self, images, targets):
        self.images, self.targets = images, targets

    def __iter__(self):
        for index in torch.randperm(len(self.targets)).split(BATCH_SIZE):
            yield self.images[index], self.targets[index]


def bare(model, train_loader, val_loader, *, loss_fn, optimizer, num_epochs, device):
    """The loop as one writes it without a helper; (training loss, validation loss, accuracy) of each epoch."""
    history = []
    for _ in range(num_epochs):
        model.train()
        loss_sum = count = 0
        for inputs, targets in train_loader:
            inputs, targets = inputs.to(device), targets.to(device)
            loss = loss_fn(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss_sum += loss.item() * len(targets)
            count += len(targets)
        model.eval()
        val_sum = correct = val_count = 0
        with torch.no_grad():
            for inputs, targets in val_loader:
                inputs, targets = inputs.to(device), targets.to(device)
                logits = model(inputs)
                val_sum += loss_fn(logits, targets).item() * len(targets)
                correct += (logits.argmax(dim=1) == targets).sum().item()
                val_count += len(targets)
        history.append((loss_sum / count, val_sum / val_count, correct / val_count))
    return history


class Terminal(io.StringIO):
    """A standard error that says it is watched, so that the bar is drawn."""

    def isatty(self):
        return True


def run(way, loaders):
    """One training by `way` ("bare", "off", "on"): (seconds, all weights as one vector, history)."""
    set_seed(SEED)
    model = LeNet()
    settings = {
        "loss_fn": nn.CrossEntropyLoss(),
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9),
        "num_epochs": EPOCHS,
        "device": DEVICE,
    }
    screen = Terminal() if way == "on" else io.StringIO()
    gc.collect()  # what the last run left is not this one's cost
    with contextlib.redirect_stderr(screen):
        start = time.perf_counter()
        seen = (bare if way == "bare" else fit)(model, *loaders, **settings)
        seconds = time.perf_counter() - start
    assert ("epochs" in screen.getvalue()) == (way == "on"), "the bar is not as this run wants it"
    if way != "bare":
        seen = list(zip(seen.train_loss, seen.val_loss, seen.val_accuracy, strict=True))
    return seconds, torch.cat([p.detach().flatten() for p in model.parameters()]), seen


def check_equal(runs):
    """Raises AssertionError unless all ways ended with the same weights and saw the same figures."""
    _, weights, seen = runs["bare"]
    for way, (_, others, figures) in runs.items():
        assert torch.equal(weights, others), f"way {way!r}: other weights than the bare loop's"
        for ours, theirs in zip(seen, figures, strict=True):
            close = [math.isclose(a, b, rel_tol=1e-5) for a, b in zip(ours, theirs, strict=True)]
            assert all(close), f"way {way!r}: saw {theirs}, the bare loop {ours}"


def interval(values):
    """A 95 % interval of the median: the k-th lowest and k-th highest value, k from the binomial distribution."""
    n, below, k = len(values), 0.0, 0
    while k < n and (below := below + math.comb(n, k) / 2**n) <= 0.025:
        k += 1
    ordered = sorted(values)
    return ordered[max(k - 1, 0)], ordered[n - max(k, 1)]


def compare(loaders, rounds):
    """{"off": ratios, "on": ratios} against the bare loop, and the bare loop's median seconds for a step."""
    ratios, seconds = {"off": [], "on": []}, []
    for number in range(rounds + 1):
        order = ("off", "bare", "on") if number % 2 else ("on", "bare", "off")
        runs = {way: run(way, loaders) for way in order}
        check_equal(runs)
        if number == 0:
            continue
        seconds.append(runs["bare"][0])
        for way, values in ratios.items():
            values.append(runs[way][0] / runs["bare"][0])
        last = f"fit {ratios['off'][-1]:.4f}, with bar {ratios['on'][-1]:.4f}"
        print(f"round {number}: bare {seconds[-1]:.3f} s, {last}")
    return ratios, statistics.median(seconds) / (EPOCHS * STEPS)


def import_lines(notebook):
    """(the course's, all other) imports at the top level of a notebook's code cells, as source lines.

    Modules that the notebook writes itself (`%%writefile by_hand.py`) are left out: there are none before it runs.
    """
    ours, others = [], []
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    written = {name for source in sources for name in re.findall(r"^%%writefile (?:\S*/)?(\w+)\.py", source)}
    for source in sources:
        try:
            tree = ast.parse(source)
        except SyntaxError:  # a cell that shows a syntax error, or a magic: it holds no import of ours
            continue
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
                tops = {name.partition(".")[0] for name in names}
                if not tops & written:
                    (ours if tops & {"course_utils", "torch_clinic"} else others).append(ast.unparse(node))
    return ours, others


def import_ms(ours, others, runs):
    """Milliseconds for the lines `ours` after torch, matplotlib and `others`, the lowest of some fresh processes.

    Raises ImportError with the last line of what the process said.
    """
    # A collection of the garbage that torch's imports left (200 ms) would fall on whichever import comes next.
    first = [
        "import torch, matplotlib.pyplot",
        *others,
        "import gc, time",
        "gc.collect()",
        "start = time.perf_counter()",
    ]
    program = "\n".join([*first, *ours, "print('ms', 1000 * (time.perf_counter() - start))"])
    # As on a learner's machine: compiled files are kept from the first import on.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["MPLBACKEND"] = "Agg"
    command, found = [sys.executable, "-W", "ignore", "-c", program], []
    for _ in range(runs + 1):
        result = subprocess.run(command, capture_output=True, text=True, env=environment)
        if result.returncode:
            raise ImportError((result.stderr.strip().splitlines() or ["no word"])[-1])
        found.append(float(result.stdout.split()[-1]))
    return round(min(found[1:]), 1)  # the first one may have had to compile


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30, help="rounds of three trainings each (default: 30)")
    parser.add_argument("--import-runs", type=int, default=3, help="fresh processes per chapter (default: 3)")
    options = parser.parse_args(arguments)
    os.environ.pop("TQDM_DISABLE", None)  # here the bar is what is measured
    try:
        digits = datasets.load("mnist")
        images = (digits.images.unsqueeze(1).float() / 255 - 0.1307) / 0.3081  # (N, 1, 28, 28)
        cut, end = STEPS * BATCH_SIZE, STEPS * BATCH_SIZE + VALIDATION
        loaders = [Batches(images[part], digits.targets[part]) for part in (slice(cut), slice(cut, end))]
        chapters = {path.stem: import_lines(path) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
        package = import_ms(["import course_utils"], [], options.import_runs)
        imports = {name: import_ms(*lines, options.import_runs) for name, lines in chapters.items() if lines[0]}
    except (datasets.DataError, ImportError) as error:
        print(f"The overhead cannot be measured here: {error}", file=sys.stderr)
        return 2
    print("imports, ms:", ", ".join(f"{name} {ms:.0f}" for name, ms in imports.items()))
    ratios, step = compare(loaders, options.rounds)
    result = {"benchmark": "overhead"}
    for name, values in (("fit", ratios["off"]), ("bar", ratios["on"])):
        low, high = interval(values)
        middle = statistics.median(values)
        result |= {f"{name}_ratio": round(middle, 4), f"{name}_low": round(low, 4), f"{name}_high": round(high, 4)}
    facts = machine.describe()
    result |= {
        "import_ms": max(imports.values()),
        "import_chapter": max(imports, key=imports.get),
        "import_ms_by_chapter": imports,
        "package_ms": package,
        "goals": GOALS,
        "rounds": options.rounds,
        "bare_ms_per_step": round(1000 * step, 2),
        "weights": "equal bit for bit",
        "data": digits.source,
        "machine": {key: facts[key] for key in ("cores", "threads", "cpu_capability", "os", "python", "torch")},
    }
    over = {name: goal for name, goal in GOALS.items() if result[name] > goal}
    missed = [f"{name} is {result[name]}, the goal is {goal} at most" for name, goal in over.items()]
    if missed:
        print(f"Missed: {'; '.join(missed)}. Does the machine do other work?", file=sys.stderr)
    print(json.dumps(result))
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
