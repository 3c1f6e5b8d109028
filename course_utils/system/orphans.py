"""The end of a family of processes, in an order that leaves no shared memory behind."""

import contextlib

import psutil

from course_utils.system import processes


def end(mark):
    """Kills every process that carries `mark` and waits until none is left.

    Python's resource trackers come last: each frees the shared memory of a dead parent, and then ends by itself.
    Raises `RuntimeError` naming those that could not be killed.
    """
    for process in processes.family(mark):
        with contextlib.suppress(psutil.Error):  # gone meanwhile
            if not is_tracker(process):
                process.kill()
    processes.leftovers(mark, patience=2)
    processes.end(mark)


def is_tracker(process):
    """Whether a process is multiprocessing's resource tracker."""
    return "resource_tracker" in " ".join(process.cmdline())
