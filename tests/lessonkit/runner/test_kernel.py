"""The kernel that the runner starts is always this Python's, and its death is told with what the system knows."""

import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
from jupyter_client.kernelspec import KernelSpecManager

from lessonkit.runner import kernel


def test_the_runners_kernel_is_this_python_whatever_the_user_has_registered(foreign):
    assert KernelSpecManager().get_kernel_spec("python3").display_name == "foreign"
    assert kernel.manager().kernel_spec.argv[0] == sys.executable


def ended(code):
    """A kernel manager whose kernel has ended with `code`."""
    wait = SimpleNamespace(wait=lambda timeout: code)
    return SimpleNamespace(provisioner=SimpleNamespace(process=wait))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals that end a process")
@pytest.mark.parametrize(
    ("code", "before", "after", "expected"),
    [
        (3, 0, 0, "the kernel died (exit code 3)"),
        (-signal.SIGSEGV, 0, 0, "the kernel died (signal SIGSEGV)"),
        (-9, 4, 4, "the kernel died (signal SIGKILL; out of memory?)"),
        (-9, None, None, "the kernel died (signal SIGKILL; out of memory?)"),
        (-9, 4, 5, "the kernel died (signal SIGKILL; out of memory: the system ended a process for it)"),
    ],
)
def test_a_death_is_told_with_what_the_system_knows(monkeypatch, code, before, after, expected):
    monkeypatch.setattr(kernel, "oom_kills", lambda: after)
    assert kernel.death(ended(code), oom_kills_before=before) == expected


def test_a_death_nobody_can_tell_about_is_still_one():
    gone = SimpleNamespace(provisioner=None)
    assert kernel.death(gone, oom_kills_before=None) == "the kernel died (exit code None)"


def test_oom_kills_is_a_count_or_unknown():
    found = kernel.oom_kills()
    assert found is None or found >= 0


def test_exit_codes_are_those_of_a_real_process():
    process = subprocess.Popen([sys.executable, "-c", "import os; os._exit(7)"])
    real = SimpleNamespace(provisioner=SimpleNamespace(process=process))
    assert "exit code 7" in kernel.death(real, oom_kills_before=kernel.oom_kills())
