"""What chapter 09 needs and does not teach: a program that is ended with all that it started."""

import contextlib
import subprocess
from collections.abc import Iterator

from lessonkit.system import processes


@contextlib.contextmanager
def ended(process: subprocess.Popen) -> Iterator[None]:
    """Kill a process and all that it started when the block is left, also by an interrupt."""
    try:
        yield
    finally:
        if process.poll() is None:
            processes.kill_tree(process)
            process.wait()
