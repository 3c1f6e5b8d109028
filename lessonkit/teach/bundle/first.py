"""Starts the course of this folder; READ_ME.txt says more.

Whatever Python a learner has runs this file, if only to say that it is too old: nothing newer than Python 2 in it.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True  # the bundle may lie on a stick, and others start from it

if not (3, 11) <= sys.version_info[:2] < (3, 14):
    sys.exit(
        "This is Python %d.%d (%s), and the course needs 3.11, 3.12 or 3.13. Start start.py with one of these: "
        "READ_ME.txt says how." % (sys.version_info[0], sys.version_info[1], sys.executable)
    )
sys.path.insert(0, os.path.join(HERE, "course"))
try:
    if not os.path.isdir(sys.path[0]):  # else a course that is installed elsewhere would be taken
        raise ImportError
    from lessonkit.teach.bundle.start import main
except ImportError:
    sys.exit(
        ("The folder course is missing next to %s, or a part of it is missing: unpack or copy the bundle again.")
        % __file__
    )

if __name__ == "__main__":
    sys.exit(main(HERE, sys.argv[1:]))
