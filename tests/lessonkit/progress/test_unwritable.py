"""A whole check in a work folder that takes nothing: the verdicts come, and one sentence says what is not kept."""

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
import toys
from places import in_a_drive, read_only

from lessonkit.commands import lab
from lessonkit.desk.copies import bring
from lessonkit.desk.folder import Desk
from lessonkit.progress import record
from lessonkit.progress.record import Entry, note, read

ANSWERS = """
import course_utils.exercises.tensors as ex


def survives(values, dtype):
    return values.to(dtype).to(values.dtype) == values


for _ in range(3):
    print(ex.survives.check(lambda *given: "nothing of the kind").state)
    ex.survives.hint()
    print(ex.survives.check(survives).state)
"""
VERDICTS = ["wrong", "passed"] * 3


@pytest.fixture
def work(tmp_path):
    """An empty work folder, its name with a space and an é."""
    folder = tmp_path / "mon école"
    folder.mkdir()
    return folder


def environment(work):
    """This process's, with the work folder, and outside CI."""
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "COURSE_PROGRESS")}
    return kept | {"COURSE_WORK": str(work)}


def answered(work, *before, program=ANSWERS):
    """The verdicts that a kernel's process gets in `work`, and the lines that it reads beside them."""
    ran = subprocess.run(
        [*before, sys.executable, "-c", program],
        cwd=work,
        env=environment(work),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split("\n")[:-1], ran.stderr.splitlines()


@pytest.mark.parametrize("begun", [False, True])
def test_in_a_folder_that_may_not_be_written_a_check_answers_and_one_sentence_is_said(work, begun):
    path = work / record.FILE
    if begun:
        note(path, Entry("tensors", "windows", "check", "passed"), warn=pytest.fail)
    with read_only(work) as before:
        verdicts, [sentence] = answered(work, *before)
        assert len(read(path)) == begun
    assert verdicts == VERDICTS
    assert sentence.startswith("Progress is not kept: ") and str(path) in sentence
    assert "Check that you have permission to write there and that the drive is not read-only." in sentence
    assert "The next check tries again." in sentence
    assert sorted(found.name for found in work.iterdir()) == ([".course"] if begun else [])


FILLED = 'cd "$1"; head -c 1M /dev/zero >filler 2>/dev/null; shift; exec "$@"'
MADE_READ_ONLY = 'mount -o remount,ro "$1" && cd "$1" && shift && exec "$@"'


@pytest.mark.parametrize(
    ("script", "said"),
    [(FILLED, " is full; make some room"), (MADE_READ_ONLY, "that the drive is not read-only")],
    ids=["full", "read-only"],
)
def test_on_a_drive_that_takes_nothing_a_check_answers_and_one_sentence_is_said(work, script, said):
    command = ["sh", "-c", script, "sh", work, sys.executable, "-c", ANSWERS]
    ran = in_a_drive(work, command, env=environment(work))
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split("\n")[:-1] == VERDICTS
    [sentence] = ran.stderr.splitlines()
    assert sentence.startswith("Progress is not kept: ") and said in sentence


def test_a_record_of_a_newer_course_is_left_alone_and_one_sentence_is_said(work):
    path = work / record.FILE
    note(path, Entry("tensors", "windows", "check", "passed"), warn=pytest.fail)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    before = path.read_bytes()
    verdicts, [sentence] = answered(work)
    assert verdicts == VERDICTS
    assert re.match(r"Progress is not kept: .* by a newer course \(version 2, here 1\); update this", sentence)
    assert path.read_bytes() == before
    assert [found.name for found in path.parent.iterdir()] == [path.name]


ON_A_NETWORK = """
import errno, mmap

class Refusing(mmap.mmap):
    def __new__(cls, *arguments, **named):
        raise OSError(errno.ENODEV, "No such device")  # a file that cannot be mapped

mmap.mmap = Refusing
"""


def test_on_a_drive_that_shares_no_memory_each_check_is_noted(work):
    assert answered(work, program=ON_A_NETWORK + ANSWERS) == (VERDICTS, [])
    [one] = read(work / record.FILE)
    assert (one.tries, one.hints, one.passed) == (6, 3, True)
    assert "✓ [Exercise 5: there and back](01_tensors.ipynb)\n" in (work / "START.md").read_text(encoding="utf-8")
    assert answered(work, program=ON_A_NETWORK + ANSWERS) == (VERDICTS, [])
    assert read(work / record.FILE)[0].tries == 12


OPENED = """
import sys
from pathlib import Path

from lessonkit.commands import lab
from lessonkit.desk.folder import Desk

desk = Desk(*map(Path, sys.argv[1:]))
lab.prepare(desk)
print("arranged:", lab.arrange(desk))
"""


@pytest.mark.parametrize("opened_before", [False, True])
def test_lab_opens_the_copies_of_a_folder_that_may_not_be_written(work, tmp_path, monkeypatch, opened_before):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    desk = Desk(work, toys.write(tmp_path / "notebooks", _00_start=toys.notebook(toys.code("1"))))
    bring(desk)
    if opened_before:
        assert lab.arrange(desk)
    command = [sys.executable, "-c", OPENED, work, desk.originals]
    with read_only(work) as before:
        ran = subprocess.run(
            [*before, *command], env=environment(work), capture_output=True, text=True, timeout=300
        )
    assert (ran.returncode, ran.stdout) == (0, f"arranged: {opened_before}\n"), ran.stderr
    not_updated, *others = ran.stderr.splitlines()
    assert not_updated.startswith("Not updated: ") and "Permission denied" in not_updated
    assert len(others) == (not opened_before)
    assert all(line.startswith("The start page was not updated: ") for line in others)
