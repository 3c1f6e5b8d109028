"""`course doctor` for a notebook: the command is run, since the engine's findings are not imported here."""

import json
import os
import subprocess
import sys

from lessonkit.system.finding import Finding
from lessonkit.system.place import IMPORTED_FROM


def examine() -> list[Finding]:
    """Return every finding of `course doctor` on this machine; takes some seconds.

    Raises RuntimeError where the command does not answer.
    """
    path = os.pathsep.join([*IMPORTED_FROM, *filter(None, [os.environ.get("PYTHONPATH")])])
    words = [sys.executable, "-m", "lessonkit.cli", "doctor", "--json"]
    env = os.environ | ({"PYTHONPATH": path} if path else {})
    ran = subprocess.run(words, env=env, capture_output=True, encoding="utf-8", errors="replace")
    if not ran.stdout.startswith("["):  # the exit status is 1 for a problem, too
        raise RuntimeError(
            f"`course doctor --json` answered with no list of findings (exit status {ran.returncode}): run "
            f"`course doctor` in a terminal. It said: {ran.stderr.strip()[-500:]}"
        )
    return [Finding(**one) for one in json.loads(ran.stdout)]
