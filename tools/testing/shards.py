"""Divides the chapters among machines so that each takes about as long, by durations on record.

    python tools/testing/shards.py 3                   three shards as JSON, for a matrix: ["03,00", "05,01", ...]
    python tools/testing/shards.py --record REPORT...  keep the seconds of `course run` in durations.json

A chapter without a record counts as the longest one, so a new chapter never lengthens a full shard unseen.
"""

import argparse
import json
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
DURATIONS = FOLDER / "durations.json"


def divide(seconds, count):
    """`count` lists of names; each next longest chapter goes to the shard that has least to do."""
    shards = [[] for _ in range(count)]
    loads = [0.0] * count
    for name in sorted(seconds, key=lambda name: (-seconds[name], name)):
        least = loads.index(min(loads))
        shards[least].append(name)
        loads[least] += seconds[name]
    return [shard for shard in shards if shard]


def recorded(names):
    """Seconds of each of `names`; those without a record take as long as the longest one."""
    there = json.loads(DURATIONS.read_text(encoding="utf-8")) if DURATIONS.exists() else {}
    return {name: there.get(name, max(there.values(), default=1.0)) for name in names}


def record(reports):
    """Keeps the seconds of every chapter that passed, whole seconds, the slowest of the reports.

    The speed of the slowest machine is kept with them, in costs.json: `course doctor` compares others with it.
    """
    from lessonkit.notebook import costs  # here: the workflow that divides the chapters has installed nothing

    found, speeds = {}, []
    for report in reports:
        run = json.loads(Path(report).read_text(encoding="utf-8"))
        if "work_seconds" not in run["machine"]:
            sys.exit(
                f"{report} does not say how fast its machine was: `course run` of this version does. Run it again."
            )
        speeds.append(run["machine"]["work_seconds"])
        for chapter in run["chapters"]:
            if chapter["status"] != "passed":
                sys.exit(f"{report}: {chapter['name']} has not passed, its seconds mean nothing. Mend it first.")
            found[chapter["name"]] = max(found.get(chapter["name"], 0), round(chapter["seconds"]))
    DURATIONS.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n", encoding="utf-8")
    costs.keep_work_seconds(max(speeds))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("count", nargs="?", type=int, help="number of shards")
    parser.add_argument(
        "--record", nargs="+", metavar="REPORT", help="reports of `course run` to keep the seconds of"
    )
    options = parser.parse_args()
    if (options.count is None) == (options.record is None):
        parser.error("say either a number of shards or --record REPORT")
    if options.record:
        return record(options.record)
    if options.count < 1:
        parser.error(f"{options.count} shards: expected at least 1")
    names = [path.stem for path in sorted((FOLDER.parents[1] / "notebooks").glob("[0-9]*.ipynb"))]
    shards = divide(recorded(names), options.count)
    print(json.dumps([",".join(name[:2] for name in shard) for shard in shards]))
    return None


if __name__ == "__main__":
    main()
