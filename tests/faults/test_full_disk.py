"""A disk that is full: nothing that was there is lost, one sentence says so, and the next try works.

The cases run in a drive of their own, many in one process (tests/faults/full_disk_cases.py).
"""

import contextlib
import json
import os
import sys
from pathlib import Path

import pytest
from faults import SOAK, many
from places import in_a_drive

PROGRAM = Path(__file__).with_name("full_disk_cases.py")
# Operations for one process, and with how many amounts of room each is tried.
QUICK = ("checkpoint", "archive", "notes", "update", "worker", "refresh", "collect", "classroom")
LONG = ("record", "download", "laid out", "first notes", "forgetting", "start page", "copies", "scripts", "release")
LONG += ("join", "bundle", "bundle folder", "bundle asks")
SLOW = ("report", "grade", "slides")
COUNTS = {QUICK: many(2, 12), LONG: 12, SLOW: 8, ("run",): 3}


@pytest.mark.parametrize("operations", [QUICK, *([LONG, SLOW, ("run",)] if SOAK else [])], ids=lambda some: some[0])
def test_what_was_there_stays_and_the_next_try_works(fault, tmp_path, operations):
    drive, scratch = tmp_path / "un lecteur é", tmp_path / "elsewhere"
    drive.mkdir()
    scratch.mkdir()
    command = [sys.executable, PROGRAM, drive, scratch, str(COUNTS[operations]), *operations]
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "COURSE_PROGRESS")}
    ran = in_a_drive(drive, command, size="3m,nr_inodes=300", timeout=1800, env=kept)
    assert ran.returncode == 0, ran.stderr[-3000:]
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    plans = [line for line in lines if "to be tried" in line]
    assert len(plans) == len(operations)
    assert all(plan["to be tried"] for plan in plans), "something here is written without any room"
    with contextlib.ExitStack() as stack:
        for name in dict.fromkeys(plan["row"] for plan in plans):
            goal = sum(plan["to be tried"] for plan in plans if plan["row"] == name)
            row = stack.enter_context(fault(f"full disk: {name}", goal=goal))
            for case in (line for line in lines if line["row"] == name and "case" in line):
                row.count(case["lost"] and f"{case['case']}: {case['lost']}", seconds=case["seconds"])
