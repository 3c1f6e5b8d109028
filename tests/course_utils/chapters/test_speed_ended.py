"""A process is ended with what it started when a block is left, however that happens."""

import contextlib
import subprocess
import sys

import psutil
import pytest

from course_utils.chapters.speed import ended
from lessonkit.system import processes

PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("error", [KeyboardInterrupt, None])
def test_a_process_ends_with_its_children_when_the_block_is_left(error):
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        try:
            with ended(parent):
                assert parent.poll() is None and child.is_running()
                if error:
                    raise error
        except KeyboardInterrupt:
            assert error
        assert parent.returncode
        psutil.wait_procs([child], timeout=10)
        assert not processes.lives(child)


def test_a_child_that_ends_by_itself_keeps_no_other_alive(monkeypatch):
    """Between the listing and the kill a child may end: here one stands in the list that has."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    dead = psutil.Process(gone.pid)
    gone.wait(60)
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        monkeypatch.setattr(psutil.Process, "children", lambda *_, **__: [dead, child, dead])
        waits = subprocess.Popen.wait
        monkeypatch.setattr(parent, "wait", lambda: waits(parent, 60))  # a failure that ends, and not for ever
        try:
            with ended(parent):
                pass
            assert parent.returncode
            psutil.wait_procs([child], timeout=10)
            assert not processes.lives(child)
        finally:
            parent.kill()
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()


def test_one_that_has_ended_keeps_its_code():
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    process.wait(60)
    with ended(process):
        pass
    assert process.returncode == 3
