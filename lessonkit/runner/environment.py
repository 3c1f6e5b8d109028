"""The environment variables of kernels, for `course run`, `course lab` and the tests that compare outputs."""

import os
from pathlib import Path

from lessonkit.system import limits
from lessonkit.system.loopback import around_proxy
from lessonkit.system.place import HOME, IMPORTED_FROM, PROJECT


def usable_cores() -> int:
    """Return the cores that this process may use, a container's limit included; torch sees only the machine's."""
    return max(1, int(min(limits.cores(), limits.cpu_quota() or limits.cores())))


def thread_settings(jobs: int = 1) -> dict[str, str]:
    """Return the variables that set how threads wait and, for `jobs` kernels side by side, how many each has.

    What the user has set stays. Threads spin for a short time only before they sleep: where other programs want the
    cores, long spinning made a chapter take 50 s instead of 13 s; on a machine with nothing else to do, threads
    that sleep at once made it a quarter slower. Side by side, each kernel takes its share of the cores: two with
    two threads each on two cores wait for each other at the end of every operation. So do more threads than a
    container has cores.
    """
    found = {"GOMP_SPINCOUNT": "10000"}  # of GNU's OpenMP, which torch uses on Linux
    if (share := max(1, usable_cores() // jobs)) < limits.cores():
        found["OMP_NUM_THREADS"] = str(share)
    return {name: os.environ.get(name, value) for name, value in found.items()}


def kernel_environment(jobs: int = 1) -> dict[str, str]:
    """Return the environment of the runner's kernels, of which `jobs` run side by side.

    COURSE_DATA absolute, since they run elsewhere; no progress bars; this Python's kernel before the user's;
    IPython's own choice of a matplotlib backend, so that pictures are kept; `thread_settings` and `around_proxy`.
    """
    env = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    if data := env.get("COURSE_DATA"):
        places = [Path.cwd() / data, HOME / data]
        env["COURSE_DATA"] = str(next((place for place in places if place.exists()), places[0]).resolve())
    ours = {"TQDM_DISABLE": "1", "JUPYTER_PREFER_ENV_PATH": "1"}
    return env | thread_settings(jobs) | around_proxy() | same_course() | ours


def same_course() -> dict[str, str]:
    """Return the variables by which a process, in whatever folder it starts, finds this course and its packages."""
    path = [*IMPORTED_FROM, *filter(None, [os.environ.get("PYTHONPATH")])]
    found = {"COURSE_HOME": str(HOME)} | ({"PYTHONPATH": os.pathsep.join(path)} if path else {})
    return found | ({"COURSE_ROOT": str(PROJECT)} if os.environ.get("COURSE_ROOT") else {})
