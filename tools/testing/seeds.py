"""Soak: execute chapters with several seeds, since what a cell asserts must hold for any that a reader may set.

    python tools/testing/seeds.py                      every chapter with SEED = 0 to 4
    python tools/testing/seeds.py 00 05 --seeds 7 8    these chapters, these seeds

One line for each chapter: seconds where it passed, else the cell that failed. Reports lie under build/seeds. Exit
status 1 where a chapter failed with a seed.
"""

import argparse
import subprocess
import sys

from course_utils import PROJECT
from lessonkit.runner.report import NAME, read

OUT = PROJECT / "build" / "seeds"


def run(chapters, seed):
    """{chapter: its result} for one seed; empty where the run did not begin."""
    out = OUT / str(seed)
    (out / NAME).unlink(missing_ok=True)
    command = [sys.executable, "-m", "lessonkit.cli", "run", *chapters, "--set", f"SEED={seed}", "--out", out]
    subprocess.run([*map(str, command), "--jobs", "2", "--limit", "600"], cwd=PROJECT)
    return {result.name: result for result in read(out / NAME)["chapters"]} if (out / NAME).exists() else {}


def table(results):
    """Lines of the table of {seed: {chapter: result}}, and how many runs failed."""
    names = sorted({name for found in results.values() for name in found})
    lines = [f"{'chapter':16}" + "".join(f"{f'SEED {seed}':>9}" for seed in results)]
    failures = []
    for name in names:
        cells = []
        for seed, found in results.items():
            result = found.get(name)
            if result and result.passed:
                cells.append(f"{result.seconds:.0f} s")
            else:
                cells.append("failed")
                failures.append(f"{name}, SEED {seed}: {result.error if result else 'did not run'}")
        lines.append(f"{name:16}" + "".join(f"{cell:>9}" for cell in cells))
    return [*lines, *failures], len(failures) + sum(not found for found in results.values())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("chapters", nargs="*", metavar="NN")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2, 3, 4], metavar="N")
    options = parser.parse_args()
    lines, failed = table({seed: run(options.chapters, seed) for seed in options.seeds})
    print("\n".join(lines))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
