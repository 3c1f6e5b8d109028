"""Keep what chapter 08 measures on this machine's NVIDIA GPU as data/recorded/gpu.json.

    python tools/record/gpu.py

Runs the notebook itself with DEVICE = "cuda" (about a minute) and takes the figures that its cells found, so that a
record shows the cells and nothing else. Exit status: 0 recorded, 1 the chapter failed, 2 there is no such GPU; in
the last two cases nothing is written, and an earlier record stays.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from course_utils import PROJECT, recorded

WHAT = "The cells of chapter 08 that need an NVIDIA GPU, run once."
# What the chapter looks up by these names.
KEYS = ("devices", "children", "survey", "memory", "snapshot", "overlap", "copies", "early", "roofline", "timeline")


class NoRecord(Exception):
    """Why there is nothing to keep, in one sentence."""


def need_cuda():
    """Raises NoRecord where there is no GPU to record."""
    if not torch.cuda.is_available():
        raise NoRecord("This machine has no GPU that torch can use through CUDA, so there is nothing to record.")


def run_chapter(number, folder):
    """Run a chapter on CUDA with its files under `folder`. Raises NoRecord without CUDA, or where a cell fails."""
    need_cuda()
    command = [sys.executable, "-m", "lessonkit.cli", "run", number, "--device", "cuda", "--limit", "300"]
    ended = subprocess.run([*command, "--out", str(folder)], cwd=PROJECT)
    if ended.returncode:
        raise NoRecord(
            f"Chapter {number} did not pass on this GPU (exit status {ended.returncode}); see the lines above."
        )


def figures_of(folder):
    """The figures that the chapter left below `folder`. Raises NoRecord where one is missing, or not of a GPU."""
    path = Path(folder) / "results" / "08_gpu" / "figures.json"
    if not path.is_file():
        raise NoRecord(f"{path.name} was not found in {path.parent}, where the chapter's cells write it.")
    figures = json.loads(path.read_text(encoding="utf-8"))
    if not str(figures.pop("device", "")).startswith("cuda"):
        raise NoRecord("The chapter ran without CUDA, so its figures are not a GPU's; `course doctor` says why.")
    if missing := [key for key in KEYS if not figures.get(key)]:
        raise NoRecord(f"The chapter found nothing for {', '.join(missing)}; expected all of {', '.join(KEYS)}.")
    return {key: figures[key] for key in KEYS}


def record(*, folder=recorded.FOLDER):
    """Measure and keep; returns the path of the record. Raises NoRecord and writes nothing where it cannot."""
    with tempfile.TemporaryDirectory() as work:
        run_chapter("08", Path(work))
        return recorded.write("gpu", what=WHAT, figures=figures_of(work), folder=folder)


def main(record, number):
    """Record, and say where; one sentence and a status where that cannot be. `number`: the chapter, or None."""
    try:
        path = record()
    except NoRecord as error:
        print(error, file=sys.stderr)
        return 1 if torch.cuda.is_available() else 2
    print(recorded.label(recorded.read(path.stem)))
    shown = (
        f"; `course refresh {number} --renew` on a machine without a GPU shows it in the chapter" if number else ""
    )
    print(f"Kept as {path}{shown}.")
    return 0


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    sys.exit(main(record, "08"))
