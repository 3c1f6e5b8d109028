"""A process is ended with what it started when a block is left, however that happens."""

import subprocess
import sys

import psutil
import pytest

from course_utils.chapters.speed import ended

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
        left = psutil.wait_procs([child], timeout=10)[1]
        assert all(one.status() == psutil.STATUS_ZOMBIE for one in left)  # where nobody takes its code


def test_one_that_has_ended_keeps_its_code():
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    process.wait(60)
    with ended(process):
        pass
    assert process.returncode == 3
