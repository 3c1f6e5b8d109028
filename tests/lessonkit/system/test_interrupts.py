"""Ctrl-C is taken note of where something has to be ended in order, and ends at once what has begun nothing."""

import os
import signal
import subprocess
import sys

import pytest

from lessonkit.system import interrupts

LEAVES = """
import os, signal
from lessonkit.system import interrupts
signal.signal(signal.SIGINT, signal.default_int_handler)
interrupts.leave_with("Nothing was begun.")
os.kill(os.getpid(), signal.SIGINT)
print("never")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signal to one process")
def test_while_it_is_held_an_interrupt_is_noted_and_not_raised():
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with interrupts.held() as interrupted:
            assert not interrupted()
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGTERM)
            assert interrupted()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signal to one process")
def test_before_anything_has_begun_it_ends_at_once_with_a_sentence():
    ran = subprocess.run([sys.executable, "-c", LEAVES], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "\nNothing was begun.\n")
