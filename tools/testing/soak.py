"""All that may go wrong, tried as often as was asked: what `make soak` calls. Prints one table.

    python tools/testing/soak.py                    every test of tests/faults, with its full number of cases
    python tools/testing/soak.py files -x           the words go to pytest: these tests only (-k)

The table: fault, cases, goal, survived, lost, slowest recovery. Exit status: pytest's, so 0 if nothing was lost.
The short sample of the same tests is step `faults` of `make test`.
"""

import os
import subprocess
import sys

from course_utils import PROJECT


def main(words):
    chosen = ["-k", words[0], *words[1:]] if words and not words[0].startswith("-") else words
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/faults", *chosen]
    return subprocess.run(command, cwd=PROJECT, env=os.environ | {"COURSE_SOAK": "1"}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
