"""Disks that fill up: ways to make writing fail for lack of space, each as a context that yields a folder."""

import contextlib
import os
import shutil
import subprocess
import sys

import pytest


@contextlib.contextmanager
def tmpfs(folder, *, megabytes):
    """A file system in memory, which only root may mount, and only on Linux."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("mounting a small disk needs Linux and root")
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if mounted.returncode:
        pytest.skip(f"no disk could be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True, timeout=60)


@contextlib.contextmanager
def largest_file(folder, *, megabytes):
    """A limit on the size of a file, which every POSIX system knows."""
    resource = pytest.importorskip("resource", reason="Windows limits no file sizes")
    folder.mkdir()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (megabytes << 20, hard))
    try:
        yield folder
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


LIMITS = (tmpfs, largest_file)
