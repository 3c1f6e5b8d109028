"""A pool of ranks: processes in one process group that stay alive between the functions they run."""

import pickle
import shutil
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import torch.distributed as dist

from course_utils.ranks import failures, pickling
from course_utils.ranks.members import Members

# A rank whose peer has died raises a connection error, and may report it before the system shows the peer as ended.
# So for this many seconds after an error a death is looked for: where there is one it is the cause, and is named.
SETTLE = 0.5
PAUSES = (0.001, 0.02)  # seconds between two looks at the ranks: at first, and at most


class Ranks:
    """A pool of `world_size` processes in one process group of `backend`; `run` calls functions in them.

    with Ranks(2, timeout=60) as ranks:
        losses = ranks.run(train, data)
        accuracies = ranks.run(test)

    The processes start with the first `run` (on Linux as forks of one that stays, as `run_ranks` says) and end with
    the `with` block (or `close`, or when the pool is forgotten, or with this process), and with them all that they
    started, and their files. `timeout`: seconds for
    each `run`, the first with the start. What a function leaves behind lives on in its rank: the state of the
    random generators, process groups, imported modules and their variables, threads. But each `run` begins with one
    thread of torch's, and the globals of a cell's or a script's function are sent anew with each.
    """

    def __init__(self, world_size: int, *, timeout: float = 60, backend: str = "gloo"):
        if world_size < 1 or timeout <= 0:
            raise ValueError(f"world_size={world_size}, timeout={timeout}; expected at least 1, and more than 0.")
        if not dist.is_available():
            raise RuntimeError(
                "This torch was built without torch.distributed; take the one from PyPI or conda-forge."
            )
        self.world_size, self.timeout, self.backend = world_size, timeout, backend
        self._busy, self._runs = threading.Lock(), 0
        self._members: Members | None = None
        self._end: Callable[[], Any] = bool  # until there are processes to end
        self._over = ""  # why nothing can be run any more

    def run(self, fn: Callable[..., Any], *args: Any, timeout: float | None = None) -> list[Any]:
        """Call `fn(rank, *args)` in each process; return the list of their results, by rank.

        `timeout`: seconds, if not the pool's. What travels, and what is printed when, is as `run_ranks` says.
        Raises TypeError for what cannot be pickled; `RankError` for the rank that failed first: it raised, died (in
        this run or since the last), or had not returned in time. After a `RankError` or an interrupt all processes
        and files are gone, and further calls raise RuntimeError. So does a call while another thread's runs.
        """
        timeout = self.timeout if timeout is None else timeout
        if timeout <= 0:
            raise ValueError(f"timeout={timeout}; expected more than 0.")
        if not self._busy.acquire(blocking=False):
            raise RuntimeError(
                "These ranks still run a function for another thread. Wait for it, or make another `Ranks`."
            )
        try:
            if self._over:
                raise RuntimeError(self._over)
            job, until = pickling.pack_job(fn, args), time.time() + timeout
            for sentence in job.large:
                print(sentence)
            results = self._run(job.content, until=until, timeout=timeout)
            return [pickling.unpack(result, known=job.by_value) for result in results]
        finally:
            self._busy.release()

    def close(self) -> None:
        """Let the ranks leave their group, and end all that they started; a second call does nothing."""
        if self._members is not None and not self._over and not self._busy.locked():
            self._members.let_go()
        self._over = self._over or "These ranks have been closed, as the end of a `with` does. Make a new `Ranks`."
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _run(self, content, *, until, timeout):
        """Return the ranks' packed results. Whatever is raised, the pool is over then."""
        try:
            if self._members is None:
                self._members = Members(self.world_size, backend=self.backend)
                self._end = weakref.finalize(self, self._members.end)
            self._runs += 1
            folder = self._members.folder / str(self._runs)
            folder.mkdir()
            (folder / "job").write_bytes(content)
            self._members.tell({"folder": str(folder), "until": until, "path": sys.path})
            _wait(self._members, folder, until=until, timeout=timeout)
            self._members.outputs.show()
            results = [(folder / f"{rank}.result").read_bytes() for rank in range(self.world_size)]
            shutil.rmtree(folder, ignore_errors=sys.platform == "win32")
            return results
        except BaseException as error:
            if self._over:  # another thread has closed the pool meanwhile
                raise RuntimeError(self._over) from None
            self._over = f"These ranks have ended: {str(error) or type(error).__name__}. Make a new `Ranks`."
            self._end()
            raise


def _wait(members: Members, folder: Path, *, until: float, timeout: float) -> None:
    """Return once every rank has returned; raise `RankError` for the first failure."""
    reports, of, (pause, longest) = {}, members.world_size, PAUSES
    while True:
        codes = members.codes()  # before the reports: whoever reports leaves later
        for rank in set(range(of)) - set(reports):
            if (path := folder / f"{rank}.report").exists():
                reports[rank] = pickle.loads(path.read_bytes())
        raised = [(report["when"], rank) for rank, report in reports.items() if report["kind"] == "raised"]
        died = [rank for rank, code in enumerate(codes) if code is not None]
        # Python's dump of a stack, made when the time is over, may crash a process that is importing just then.
        by_its_dump = died and codes[died[0]] == -signal.SIGSEGV and time.time() > until
        if died and not by_its_dump:
            raise failures.died(died[0], codes[died[0]], members.outputs, of=of)
        if raised and (time.monotonic() > max(raised)[0] + SETTLE or of == 1):
            raise failures.raised(min(raised)[1], reports, of=of)
        if len(reports) == of and not raised:
            return
        if time.time() > until and not raised:
            raise failures.too_slow(reports, members.folder, of=of, timeout=timeout)
        time.sleep(pause)
        pause = min(1.5 * pause, longest)
