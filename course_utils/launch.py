"""A function run by several processes of this machine at once, the ranks of one process group."""

import contextlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch.distributed as dist

from course_utils.ranks import pickling, stack_dumps
from course_utils.system import orphans, processes

BOOT = """import sys, json
sys.path[:] = json.loads(sys.argv.pop())
from course_utils.ranks import worker
worker.main()"""
SETTLE = 0.5  # seconds after an error in which the death that caused it becomes visible


class RankError(Exception):
    """A rank failed: `rank`, `kind` ("raised", "died" or "too slow") and `trace`, the text it left behind."""

    def __init__(self, message, *, rank, kind, trace):
        super().__init__(message)
        self.rank, self.kind, self.trace = rank, kind, trace


class RankTrace(Exception):
    """What a rank left behind, shown by Python above the `RankError` it belongs to."""


def run_ranks(fn, world_size, *args, timeout=60, backend="gloo"):
    """Calls `fn(rank, *args)` in `world_size` new processes; returns the list of their results, by rank.

    Each has one thread and a process group of `backend`, met through a file, over the loopback interface: no port,
    no network. `timeout`: seconds for everything, the starts included. Arguments and results are pickled, tensors
    as CPU copies. What the ranks print appears afterwards, rank by rank. All processes and files are gone when this
    returns or raises. Functions and classes of a notebook's cells, of a script, lambdas and nested functions travel
    with the globals that they use; what an import finds is imported by the ranks. Raises TypeError for what cannot
    be pickled (an open file, a generator, a process group), and `RankError` for the rank that failed first: it
    raised, died, or had not returned in time.
    """
    if world_size < 1 or timeout <= 0:
        raise ValueError(f"world_size={world_size}, timeout={timeout}; expected at least 1, and more than 0.")
    if not dist.is_available():
        raise RuntimeError("This torch was built without torch.distributed; take the one from PyPI or conda-forge.")
    packed, until = pickling.pack_job(fn, args), time.time() + timeout
    for sentence in packed.large:
        print(sentence)
    mark = processes.new_mark("ranks")
    with tempfile.TemporaryDirectory(prefix="ranks-", ignore_cleanup_errors=sys.platform == "win32") as folder:
        folder, ranks = Path(folder), []
        (folder / "job").write_bytes(packed.content)
        job = {"folder": str(folder), "world_size": world_size, "backend": backend, "until": until}
        try:
            for rank in range(world_size):
                ranks.append(_start(job | {"rank": rank}, mark=mark))
            _wait(ranks, folder, until=until, timeout=timeout)
            _let_go(ranks)
        finally:
            _end(ranks, mark=mark)
            _show(world_size, folder)
        results = [(folder / f"{rank}.result").read_bytes() for rank in range(world_size)]
    return [pickling.unpack(result, known=packed.by_value) for result in results]


def _start(job, *, mark):
    interface = {"GLOO_SOCKET_IFNAME": processes.LOOPBACK} if processes.LOOPBACK else {}
    env = {**os.environ, "OMP_NUM_THREADS": "1"} | interface
    command = [sys.executable, "-c", BOOT, json.dumps(job), json.dumps(sys.path)]
    with (Path(job["folder"]) / f"{job['rank']}.log").open("wb") as log:
        return processes.start(command, cwd=Path.cwd(), mark=mark, env=env, stderr=log)


def _wait(ranks, folder, *, until, timeout):
    """Returns once every rank has returned; raises `RankError` for the first failure."""
    reports = {}
    while True:
        codes = [process.poll() for process in ranks]  # before the reports: whoever reports leaves later
        for rank in set(range(len(ranks))) - set(reports):
            if (path := folder / f"{rank}.report").exists():
                reports[rank] = pickle.loads(path.read_bytes())
        raised = [(report["when"], rank) for rank, report in reports.items() if report["kind"] == "raised"]
        died = [rank for rank, code in enumerate(codes) if code is not None]
        if died:
            raise _died(died[0], codes[died[0]], folder, of=len(ranks))
        if raised and (time.monotonic() > max(raised)[0] + SETTLE or len(ranks) == 1):
            raise _raised(min(raised)[1], reports, of=len(ranks))
        if len(reports) == len(ranks) and not raised:
            return
        if time.time() > until and not raised:
            raise _too_slow(reports, folder, of=len(ranks), timeout=timeout)
        time.sleep(0.02)


def _raised(rank, reports, *, of):
    message = f"rank {rank} of {of} raised {reports[rank]['headline']}"
    return _error(message, rank=rank, kind="raised", trace=reports[rank]["trace"])


def _died(rank, code, folder, *, of):
    trace = stack_dumps.last_words(folder, rank) or "no word"
    return _error(f"rank {rank} of {of} died: {stack_dumps.cause(code)}", rank=rank, kind="died", trace=trace)


def _too_slow(reports, folder, *, of, timeout):
    late = [rank for rank in range(of) if rank not in reports]
    phrases, trace = stack_dumps.doing(folder, late)
    phrases += [f"rank {rank} had returned" for rank in sorted(reports)]
    message = f"not finished within {timeout:g} s: {'; '.join(phrases)}"
    return _error(message, rank=late[0], kind="too slow", trace=trace)


def _error(message, *, rank, kind, trace):
    error = RankError(message, rank=rank, kind=kind, trace=trace)
    error.__cause__ = RankTrace(f"what rank {rank} left behind:\n\n{trace}")
    return error


def _let_go(ranks):
    """All have returned: now, and not before, each may leave the group and close its connections."""
    for process in ranks:
        with contextlib.suppress(OSError):  # its result is here: that it died since is no loss
            process.stdin.write("g")
            process.stdin.flush()
    for process in ranks:
        with contextlib.suppress(subprocess.TimeoutExpired):  # a thread of the function's own keeps it: see _end
            process.wait(timeout=5)


def _end(ranks, *, mark):
    """Kills what is left of the ranks and of all they started; afterwards nothing runs."""
    orphans.end(mark)
    for process in ranks:
        process.kill()  # already ended, unless the system hides its variables from us
        with contextlib.suppress(OSError):  # "go" that nobody read
            process.communicate()


def _show(world_size, folder):
    """Prints what the ranks printed, and their warnings; not what C++ wrote, which is kept for a rank that dies."""
    for rank in range(world_size):
        for kind, stream in (("out", sys.stdout), ("err", sys.stderr)):
            path = folder / f"{rank}.{kind}"
            for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
                print(f"rank {rank}: {line}", file=stream)
