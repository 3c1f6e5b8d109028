"""A folder for temporary files goes with its owner, or when the next of its kind is made."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from lessonkit.system import scratch
from lessonkit.system.scratch import LOCK, Scratch, remove, remove_abandoned

OWNER = """
import sys, tempfile, time
from lessonkit.system.scratch import Scratch
one = Scratch("toy-")
(one.path / "file").touch()
print(one.path, flush=True)
time.sleep(600)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_it_is_there_until_it_is_closed(place):
    one = Scratch("toy-")
    (one.path / "folder").mkdir()
    (one.path / "folder" / "file").touch()
    assert one.path.parent == place and one.path.name.startswith("toy-")
    one.close()
    assert not list(place.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL, and TMPDIR neither")
def test_the_next_one_removes_what_a_killed_owner_left_and_nothing_else(place):
    ours = place / "toy-abcdefgh"  # a folder of somebody else's that happens to be called so
    ours.mkdir()
    (ours / "thesis.txt").touch()
    os.utime(ours, (1, 1))
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True) as owner:
        theirs = owner.stdout.readline().strip()
        living = Scratch("toy-")
        assert Path(theirs).exists(), "its owner lives"
        owner.send_signal(signal.SIGKILL)
        owner.wait(60)
    another = Scratch("toy-")
    assert not Path(theirs).exists()
    assert (living.path / LOCK).exists() and (ours / "thesis.txt").exists()
    living.close()
    another.close()


def test_an_empty_one_without_a_lock_goes_when_it_is_old(place):
    young, old = place / "toy-young_10", place / "toy-older_10"
    young.mkdir()
    old.mkdir()
    os.utime(old, (time.time() - 2 * scratch.OLD,) * 2)
    remove_abandoned("toy-")
    assert young.exists() and not old.exists()


def test_a_folder_in_which_files_are_still_made_goes_too(place):
    folder = place / "busy"
    folder.mkdir()

    def write():
        for number in range(2000):
            try:
                (folder / str(number)).touch()
            except FileNotFoundError:
                return

    writer = threading.Thread(target=write)
    writer.start()
    remove(folder)
    writer.join()
    assert not folder.exists()


def test_what_a_chapter_means_to_leave_is_moved_one_up(place):
    (place / "there").touch()
    one = Scratch("toy-")
    for name in ("there", "kept"):
        (one.path / name).write_text("new", encoding="utf-8")
    one.give_back()
    one.close()
    assert sorted(path.name for path in place.iterdir()) == ["kept", "there"]
