"""Places where nothing, or nothing more, can be written: for commands of their own, and so that root is held too.

Whoever runs the tests is often root (in a container, say), whom no permission stops. What a system refuses to make
is skipped, with the reason, and so counted.
"""

import contextlib
import os
import shutil
import subprocess
import sys

import pytest

# Root without its privilege over permissions: still the owner of its files, and held by their modes as others are.
HELD = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]
DRIVE = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && shift 2 && exec "$@"'


@contextlib.contextmanager
def read_only(folder):
    """Nothing in `folder` can be written meanwhile by a command that begins with the words yielded."""
    if sys.platform == "win32":
        pytest.skip("Windows has no permissions of this kind")
    before = HELD if os.geteuid() == 0 else []
    modes = {path: path.stat().st_mode for path in (folder, *folder.rglob("*"))}
    for path, mode in modes.items():
        path.chmod(mode & ~0o222)
    try:
        _try_to_write(folder, before)
        yield before
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def _try_to_write(folder, before):
    """Skip the test where root cannot be held."""
    if before and not shutil.which(before[0]):
        pytest.skip("root may write everywhere, and no setpriv is here to hold it")
    program = "import sys, tempfile; tempfile.TemporaryFile(dir=sys.argv[1])"
    command = [*before, sys.executable, "-c", program, folder]
    tried = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if "PermissionError" not in tried.stderr:
        pytest.skip(f"root may write everywhere, and cannot be held: {tried.stderr or 'it wrote'}")


def in_a_drive(folder, command, *, size="256k", timeout=300, **settings):
    """Run a command that sees in `folder` an empty drive of that size, which ends with it; its CompletedProcess.

    `size` may go on as mount's options do: `2m,nr_inodes=200` for a drive that has no more than 200 names.
    """
    own = [] if getattr(os, "geteuid", lambda: 1)() == 0 else ["--map-root-user"]
    line = ["unshare", *own, "--mount", "sh", "-c", DRIVE, "sh", size, folder, *command]
    try:
        ran = subprocess.run(line, capture_output=True, text=True, timeout=timeout, **settings)
    except FileNotFoundError:
        pytest.skip("no unshare here, so no drive of its own")
    if "mount:" in ran.stderr or "unshare:" in ran.stderr:
        pytest.skip(f"no drive of its own may be mounted here: {ran.stderr.splitlines()[0]}")
    return ran
