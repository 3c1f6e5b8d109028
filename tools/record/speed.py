"""Keep chapter 09's ledger of a GPU machine in data/recorded/gpu_speed.json: `python tools/record/speed.py`.

Runs the notebook itself with DEVICE = "cuda" (some two minutes) and takes the ledger that its cells found. Exit
status: 0 recorded, 1 the chapter failed, 2 there is no such GPU; in the last two cases nothing is written.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

import gpu

from course_utils import recorded

WHAT = "Chapter 09's ledger on CUDA, run once: low, median, high, verdict, and what the ratio is of."
ROWS = ("4 mixed precision", "5 fused AdamW", "6 cudnn.benchmark", "7 no transfers, no .item()")


def record():
    """Measure and keep; returns the path of the record. Raises NoRecord and writes nothing where it cannot."""
    with tempfile.TemporaryDirectory() as folder:
        gpu.run_chapter("09", Path(folder))
        found = list(Path(folder).rglob("09_speed/ledger.json"))
        ledger = json.loads(found[0].read_text(encoding="utf-8")) if found else {}
    if ledger.pop("device", None) != "cuda" or not set(ROWS) <= set(ledger):
        raise gpu.NoRecord(f"The chapter left no ledger of a GPU with the rows {', '.join(ROWS)}.")
    figures = {
        name: f"x {row[1]:.2f} ({row[0]:.2f} to {row[2]:.2f}), {row[4]}: {row[3]}. " for name, row in ledger.items()
    }
    return recorded.write("gpu_speed", what=WHAT, figures=figures)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    sys.exit(gpu.main(record, "09"))
