"""Keeps chapter 09's ledger of a GPU machine in data/recorded/gpu_speed.json: `python scripts/record_speed.py`.

Runs the notebook itself with DEVICE = "cuda" (some two minutes) and takes the ledger that its cells found. Exit
status: 0 recorded, 1 the chapter failed, 2 there is no such GPU; in the last two cases nothing is written.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from course_utils import recorded

PROJECT = Path(__file__).resolve().parent.parent
WHAT = "Chapter 09's ledger on CUDA, run once: low, median, high, verdict, and what the ratio is of."
ROWS = ("4 mixed precision", "5 fused AdamW", "6 cudnn.benchmark", "7 no transfers, no .item()")


def main():
    """Record, and say where; one sentence and an exit status where that cannot be."""
    if not torch.cuda.is_available():
        print("This machine has no GPU that torch can use through CUDA: nothing to record.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "course_utils.cli", "run", "09", "--device", "cuda", "--out", folder]
        if subprocess.run(command, cwd=PROJECT, timeout=900).returncode:
            print("Chapter 09 failed on CUDA, see above: nothing was recorded.", file=sys.stderr)
            return 1
        found = list(Path(folder).rglob("09_speed/ledger.json"))
        ledger = json.loads(found[0].read_text(encoding="utf-8")) if found else {}
    if ledger.get("device") != "cuda" or not set(ROWS) <= set(ledger):
        print(f"The chapter left no ledger of a GPU with the rows {', '.join(ROWS)}.", file=sys.stderr)
        return 1
    figures = {
        name: f"x {row[1]:.2f} ({row[0]:.2f} to {row[2]:.2f}), {row[4]}: {row[3]}. "
        for name, row in ledger.items()
        if name != "device"
    }
    print(f"Kept as {recorded.write('gpu_speed', what=WHAT, figures=figures)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
