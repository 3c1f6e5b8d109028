"""What starting ranks costs: `run_ranks` of two ranks that do one all-reduce, again and again; and what is left.

    python benchmarks/launch.py [--launches 300]

`later`: seconds of processor time that a launch takes, of this process and all that it starts. It is the median of
all but the first, with the 5 % and 95 % quantiles. `first`: those of the first launch, when on Linux the process
imports torch from which all ranks are forked. `left`: processes, temporary files and segments of shared memory that
are there after the last launch and were not before.

The last line is JSON. Exit status 1 where a goal is missed.
"""

import argparse
import json
import os
import sys
import tempfile
import tomllib
from pathlib import Path

import psutil
import torch
import torch.distributed as dist

from course_utils import PROJECT
from course_utils.launch import run_ranks
from lessonkit.system import fork_server, processes

ROWS = tomllib.loads((PROJECT / "benchmarks" / "benchmarks.toml").read_text(encoding="utf-8"))
GOALS = {figure["key"]: figure["goal"] for figure in ROWS["launch"]["figures"] if "goal" in figure}  # at most


def total(rank):
    number = torch.tensor(rank + 10)
    dist.all_reduce(number)
    return number.item()


def processor_seconds():
    """Of this process, of the living below it, and of those that they have waited for."""
    me, seconds = psutil.Process(), 0.0
    for process in [me, *me.children(recursive=True)]:
        times = process.cpu_times()
        seconds += times.user + times.system + times.children_user + times.children_system
    return seconds


def there(folder):
    """Processes of ours, temporary files, and segments of shared memory."""
    shared = Path("/dev/shm")
    segments = {path.name for path in shared.iterdir()} if shared.is_dir() else set()
    return {
        *processes.leftovers(os.environ[processes.MARK], patience=5),
        *map(str, Path(folder).iterdir()),
        *segments,
    }


def measured(launches):
    """The figures of so many launches."""
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = os.environ["TMPDIR"] = folder
        os.environ[processes.MARK] = processes.new_mark("launches")
        before, seconds = there(folder), []
        for _ in range(launches):
            begun = processor_seconds()
            if (found := run_ranks(total, 2)) != [21, 21]:
                raise AssertionError(f"{found}, expected [21, 21]")
            seconds.append(processor_seconds() - begun)
        fork_server.stop()
        left = there(folder) - before
    later = sorted(seconds[1:])
    low, middle, high = (round(later[int(share * (len(later) - 1))], 2) for share in (0.05, 0.5, 0.95))
    return {"first": round(seconds[0], 2), "later": middle, "low": low, "high": high, "left": len(left)}, left


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--launches", type=int, default=300)
    found, left = measured(max(3, parser.parse_args().launches))
    if left:
        print("left:", *sorted(left), sep="\n  ")
    print(json.dumps(found))
    return int(any(found[key] > goal for key, goal in GOALS.items()))


if __name__ == "__main__":
    sys.exit(main())
