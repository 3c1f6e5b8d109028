"""What passes when a random notebook is run from top to bottom passes in the grade, or its row says why not.

RANDOM_NOTEBOOKS=300 makes it as many as were asked for once; each takes about a second on a quiet core.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from course_utils import PROJECT

COUNT = int(os.environ.get("RANDOM_NOTEBOOKS", "8"))
SCRIPT = PROJECT / "tests" / "helpers" / "random_notebooks.py"
PATIENCE = 1800 + 30 * COUNT  # seconds: ends a hang


@pytest.mark.parametrize("course", [PROJECT, PROJECT / "tests" / "toy_course"], ids=["course", "toy"])
def test_a_notebook_run_from_top_to_bottom_and_graded_gets_the_same_verdicts(course: Path):
    environment = os.environ | {"COURSE_ROOT": str(course), "PYTHONPATH": str(PROJECT), "COURSE_OFFLINE": "1"}
    command = [sys.executable, str(SCRIPT), "--count", str(COUNT), "--seed", os.environ.get("RANDOM_SEED", "20")]
    ran = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", errors="replace", timeout=PATIENCE
    )
    assert ran.returncode == 0 and f"{COUNT} notebooks, 0 differ" in ran.stdout, ran.stdout + ran.stderr[-3000:]
