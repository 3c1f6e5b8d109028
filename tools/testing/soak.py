"""All that may go wrong, tried as often as was asked: what `make soak` calls. Prints one table.

    python tools/testing/soak.py                    every test of tests/faults, with its full number of cases
    python tools/testing/soak.py --resume           go on: what is in the table and at its goal is not tried again
    python tools/testing/soak.py --only files       those whose names say so (pytest's -k)
    python tools/testing/soak.py --workers 1        one test at a time, not three

The table: fault, cases, goal, survived, lost, slowest recovery. Exit status 1 if a test failed or a row is not at
its goal. Three tests run side by side, as most of them wait; thirty kernels, which take what memory there is, come
first and alone. The short sample of the same tests is step `faults` of `make test`.
"""

import argparse
import os
import subprocess
import sys

from course_utils import PROJECT

sys.path.insert(0, str(PROJECT / "tests" / "helpers"))
ALONE = "thirty"
NOTHING_TO_DO = 5  # pytest's exit status where no test was chosen


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--resume", action="store_true", help="go on with what is not at its goal")
    parser.add_argument("--only", default="", metavar="WORD", help="tests of this name, as pytest's -k")
    parser.add_argument("--workers", type=int, default=3, help="tests side by side (default: 3)")
    options = parser.parse_args()
    os.environ |= {"COURSE_SOAK": "1", "COURSE_SOAK_GOES_ON": "1"}
    import faults  # after the variables are set: it reads them

    if not options.resume:
        faults.clear()
    done = finished(faults.rows())
    side_by_side = ("-n", str(options.workers), "--dist", "loadgroup")
    statuses = set()
    for chosen, how in ((ALONE, ()), (f"not {ALONE}", side_by_side if options.workers > 1 else ())):
        wanted = f"({chosen}) and ({options.only})" if options.only else chosen
        statuses.add(pytest(wanted, done, how))
    print("", *faults.table(), sep="\n", flush=True)
    return int(not statuses <= {0, NOTHING_TO_DO} or not all(row.at_goal for row in faults.rows()))


def finished(rows):
    """The tests all of whose rows are at their goal."""
    tests = {row.test for row in rows if row.soak and row.test}
    return sorted(tests - {row.test for row in rows if not row.at_goal})


def pytest(wanted, done, how):
    """Run the tests of a name but those that are done; what was lost is in their rows."""
    left_out = [f"--deselect={test}" for test in done]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", wanted, *left_out, *how]
    return subprocess.run([*command, "tests/faults"], cwd=PROJECT).returncode


if __name__ == "__main__":
    sys.exit(main())
