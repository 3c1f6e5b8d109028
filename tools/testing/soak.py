"""All that may go wrong, tried as often as was asked: what `make soak` calls. Prints one table.

    python tools/testing/soak.py                    every test of tests/faults, with its full number of cases
    python tools/testing/soak.py --resume           go on: what is in the table and at its goal is not tried again
    python tools/testing/soak.py --only files       those whose names say so (pytest's -k)
    python tools/testing/soak.py --workers 1        one test at a time, not three
    python tools/testing/soak.py --record           besides: keep the table in docs/faults.json and docs/faults.md
    python tools/testing/soak.py --on-record --resume --record   go on with what a soak elsewhere has left to do

The table: fault, cases, goal, survived, lost, slowest recovery. Exit status 1 if a test failed or a row is not at
its goal. Three tests run side by side, as most of them wait; thirty kernels, which take what memory there is, come
first and alone. The short sample of the same tests is step `faults` of `make test`.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict

import determinism

from course_utils import PROJECT, machine
from lessonkit.system.atomic import atomic_write

RECORD = PROJECT / "docs" / "faults.json"
PAGE = PROJECT / "docs" / "faults.md"
HEAD = """# What was tried, and what was lost

Each line is a fault, brought about as many times as it says: by `make soak`, which takes hours; `make test` tries a
short sample of the same. *Survived*: what was there before is whole, an error says in words what is wrong, nothing
stays behind, and the next try works. *Lost* is what did not, *recovery* the slowest of a row, on a machine that had
other work. `python tools/testing/soak.py --record` writes this page from `docs/faults.json`.

| fault | tried | to be tried | survived | lost | recovery, s | seen |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
"""

sys.path.insert(0, str(PROJECT / "tests" / "helpers"))
ALONE = "thirty"
NOTHING_TO_DO = 5  # pytest's exit status where no test was chosen


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--resume", action="store_true", help="go on with what is not at its goal")
    parser.add_argument("--only", default="", metavar="WORD", help="tests of this name, as pytest's -k")
    parser.add_argument("--record", action="store_true", help="keep the table in docs/")
    parser.add_argument("--on-record", action="store_true", help="begin with the rows in docs/faults.json")
    parser.add_argument("--page", action="store_true", help="only write docs/faults.md anew")
    parser.add_argument("--workers", type=int, default=3, help="tests side by side (default: 3)")
    options = parser.parse_args()
    os.environ |= {"COURSE_SOAK": "1", "COURSE_SOAK_GOES_ON": "1"}
    import faults  # after the variables are set: it reads them

    if options.page:
        PAGE.write_text(page(recorded()), encoding="utf-8")
        return 0
    if not options.resume:
        faults.clear()
        shutil.rmtree(determinism.OUT, ignore_errors=True)
    if options.on_record:
        here = {row.fault for row in faults.rows()}
        for row in recorded().values():
            if row["fault"] not in here:
                faults.keep(faults.Fault(**row))
    done = finished(faults.rows())
    side_by_side = ("-n", str(options.workers), "--dist", "worksteal")
    statuses = set()
    for chosen, how in ((ALONE, ()), (f"not {ALONE}", side_by_side if options.workers > 1 else ())):
        wanted = f"({chosen}) and ({options.only})" if options.only else chosen
        statuses.add(pytest(wanted, done, how))
    print("", *faults.table(), sep="\n", flush=True)
    if options.record:
        record([row for row in faults.rows() if row.soak])
    return int(not statuses <= {0, NOTHING_TO_DO} or not all(row.at_goal for row in faults.rows()))


def finished(rows):
    """The tests all of whose rows are at their goal."""
    tests = {row.test for row in rows if row.soak and row.test}
    return sorted(tests - {row.test for row in rows if not row.at_goal})


def recorded(path=RECORD):
    """Fault -> its row, as JSON has it."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def record(rows, path=RECORD, to=PAGE):
    """Keep rows in the record, each in the place of one of the same name, and write the page of all."""
    facts = machine.describe()
    here = f"{facts['os'].split()[0]} {platform.machine()}, {facts['cpu_capability']}, {facts['cores']} cores"
    here += f", Python {facts['python']}, torch {facts['torch'].partition('+')[0]}"
    found = recorded(path) | {row.fault: asdict(row) | {"where": row.where or here} for row in rows}
    found = dict(sorted(found.items()))
    with atomic_write(path) as file:
        file.write((json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode())
    to.write_text(page(found), encoding="utf-8")


def page(found):
    """The page of a record."""
    rows, places = found.values(), sorted({row["where"] for row in found.values()})
    lines = [
        f"| {row['fault']} | {row['cases']:,} | {row['goal']:,} | {row['survived']:,} | {len(row['lost'])} | "
        f"{row['slowest']:.2f} | {row['date']}, {row['commit']}{'; ' + row['note'] if row['note'] else ''} |"
        for row in rows
    ]
    cases, lost = sum(row["cases"] for row in rows), sum(len(row["lost"]) for row in rows)
    total = f"{cases:,} cases in {len(lines)} rows, {lost} lost"
    return HEAD + "\n".join(lines) + f"\n\n{total}. Seen on: {'; '.join(places)}.\n"


def pytest(wanted, done, how):
    """Run the tests of a name but those that are done; what was lost is in their rows."""
    left_out = [f"--deselect={test}" for test in done]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", wanted, *left_out, *how]
    return subprocess.run([*command, "tests/faults"], cwd=PROJECT).returncode


if __name__ == "__main__":
    sys.exit(main())
