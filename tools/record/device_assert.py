"""Keep how this machine's NVIDIA GPU reports a target out of range, as data/recorded/device_assert.json.

    python tools/record/device_assert.py

Runs one broken program twice, as usual and with CUDA_LAUNCH_BLOCKING=1, and keeps which of its lines each traceback
ends at. Exit status: 0 recorded, 1 the program did not fail as it should, 2 there is no such GPU; in the last two
cases nothing is written.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import gpu

from course_utils import recorded

WHAT = "The line at which a traceback ends for class 10 of 10, as usual and with CUDA_LAUNCH_BLOCKING=1."
WAYS = {"as usual": {}, "CUDA_LAUNCH_BLOCKING=1": {"CUDA_LAUNCH_BLOCKING": "1"}}
PROGRAM = """import torch
import torch.nn.functional as F
logits = torch.zeros(4, 10, device="cuda", requires_grad=True)
targets = torch.tensor([1, 2, 10, 3]).cuda()
loss = F.cross_entropy(logits, targets)
doubled = 2 * loss
print(doubled.item())
"""


def ends_at(said):
    """`line 7: print(doubled.item()) -> RuntimeError: ...` from what the program wrote to standard error.

    Raises NoRecord where that holds no assertion of a kernel, or no traceback.
    """
    frames = re.findall(r'File "[^"\n]*program\.py", line (\d+), in <module>', said)
    errors = re.findall(r"^\w[\w.]*Error: .*$", said, re.MULTILINE)
    if not frames or not errors or not re.search(r"Assertion .* failed", said):
        raise gpu.NoRecord(f"Expected an assertion of a kernel and a traceback, found: {said[-300:]!r}")
    return f"line {frames[-1]}: {PROGRAM.splitlines()[int(frames[-1]) - 1]} -> {errors[-1]}"


def record(*, folder=recorded.FOLDER):
    """Run and keep; returns the path of the record. Raises NoRecord and writes nothing where it cannot."""
    gpu.need_cuda()
    figures = {}
    with tempfile.TemporaryDirectory() as work:
        program = Path(work) / "program.py"
        program.write_text(PROGRAM, encoding="utf-8")
        for way, more in WAYS.items():
            env = {name: value for name, value in os.environ.items() if name != "CUDA_LAUNCH_BLOCKING"} | more
            ended = subprocess.run(
                [sys.executable, program], env=env, capture_output=True, encoding="utf-8", timeout=120
            )
            figures[way] = ends_at(ended.stderr)
    return recorded.write("device_assert", what=WHAT, figures=figures, folder=folder)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    sys.exit(gpu.main(record, "12"))
