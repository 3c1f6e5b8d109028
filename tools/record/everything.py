"""Keep all that the course says of a GPU, in one go, the most wanted first: `make gpu-records`.

    python tools/record/everything.py [--minutes 25] [--only NAME ...] [--list]

Each step is a command with a time limit; one that fails does not stop the others. What the steps keep goes to
data/recorded, what they print and a table of them to build/gpu_records, small enough to be carried off a lent
machine. A step for which no time is left is named as left out. Exit status: 0 all steps passed, 1 one failed or was
left out, 2 there is no GPU that torch can use through CUDA; then nothing is run.
"""

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import time

import gpu

from course_utils import PROJECT, machine, recorded
from lessonkit.system import processes

OUT = PROJECT / "build" / "gpu_records"
PYTHON = sys.executable
LONGEST_LOG = 60_000  # characters of a step's end that are kept
SHORTEST = 30  # seconds under which no step is begun
PASSED = "passed"


@dataclasses.dataclass(frozen=True)
class Step:
    """A command to run, what it shows, and the minutes after which it is ended."""

    name: str
    what: str
    command: tuple[str, ...]
    minutes: float


STEPS = (
    Step(
        "chapters",
        "every chapter solved on CUDA",
        (
            *(PYTHON, "-m", "lessonkit.cli", "run", "--device", "cuda", "--answers", "solved"),
            *("--limit", "300", "--jobs", "4", "--out", "build/gpu_records/chapters"),
        ),
        12,
    ),
    Step("gpu", "chapter 08: memory, streams, copies, roofline", (PYTHON, "tools/record/gpu.py"), 6),
    Step("speed", "chapter 09's ledger", (PYTHON, "tools/record/speed.py"), 8),
    Step("device_assert", "chapter 12: a kernel's assertion", (PYTHON, "tools/record/device_assert.py"), 3),
    Step("multi_gpu", "chapter 10: DataParallel and DDP, two GPUs", (PYTHON, "tools/record/multi_gpu.py"), 5),
    Step(
        "mnist_record",
        "the MNIST recipe, trained on CUDA",
        (PYTHON, "benchmarks/mnist_record.py", "--device", "cuda", "--seeds", "20"),
        5,
    ),
)


def run(step, *, seconds, folder):
    """Run a step, keep the end of what it printed in `folder`; return its row: outcome, seconds, last line."""
    began, mark, env = time.monotonic(), processes.new_mark(step.name), dict(os.environ)
    child = processes.start(list(step.command), cwd=PROJECT, mark=mark, env=env, stderr=subprocess.STDOUT)
    try:
        said, _ = child.communicate(timeout=seconds)
        outcome = PASSED if child.returncode == 0 else f"failed, exit status {child.returncode}"
    except subprocess.TimeoutExpired:
        processes.end(mark)  # what it started, too
        said, _ = child.communicate()
        outcome = f"ended after {seconds:.0f} s"
    (folder / f"{step.name}.log").write_text(said[-LONGEST_LOG:], encoding="utf-8")
    last = next((line for line in reversed(said.splitlines()) if line.strip()), "")
    return {"outcome": outcome, "seconds": round(time.monotonic() - began, 1), "last line": last[:500]}


def run_all(steps, *, minutes, folder):
    """Run steps one after the other within `minutes`; return name -> row, also written to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    until, rows = time.monotonic() + 60 * minutes, {}
    for step in steps:
        left = until - time.monotonic()
        if left < SHORTEST:
            rows[step.name] = {"outcome": "left out: no time was left", "seconds": 0.0, "last line": ""}
        else:
            print(f"{step.name}: {step.what}", flush=True)
            rows[step.name] = run(step, seconds=min(left, 60 * step.minutes), folder=folder)
        print("   ", rows[step.name]["outcome"], rows[step.name]["last line"][:150], flush=True)
        about = {"machine": recorded.this_machine(), "versions": machine.versions("python", "torch", "torchvision")}
        (folder / "records.json").write_text(json.dumps(about | {"steps": rows}, indent=1) + "\n", encoding="utf-8")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=25, help="for all steps together (default: %(default)s)")
    parser.add_argument("--only", nargs="+", choices=[step.name for step in STEPS], metavar="NAME")
    parser.add_argument("--list", action="store_true", help="name the steps and run nothing")
    options = parser.parse_args()
    steps = [step for step in STEPS if not options.only or step.name in options.only]
    if options.list:
        for step in steps:
            print(f"{step.name:14} {step.minutes:4g} min at most  {step.what}")
        return 0
    try:
        gpu.need_cuda()
    except gpu.NoRecord as error:
        print(error, file=sys.stderr)
        return 2
    rows = run_all(steps, minutes=options.minutes, folder=OUT)
    print(f"{OUT.relative_to(PROJECT)} holds what they printed; new records lie in data/recorded: `git status`.")
    return int(any(row["outcome"] != PASSED for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
