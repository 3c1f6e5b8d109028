"""The processes of a pool of ranks: start them, send them work, collect what they write, and end all of them."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

from course_utils.ranks.starting import start
from lessonkit.system import fork_server, loopback, processes
from lessonkit.system.scratch import Scratch


class Outputs:
    """In `folder`, RANK.out (what Python printed), RANK.err (warnings and errors) and RANK.log (what C++ wrote).

    What has been shown once is not shown again.
    """

    def __init__(self, folder: Path, world_size: int):
        self.folder, self.world_size = folder, world_size
        self._seen: dict[Path, int] = {}  # bytes

    def show(self) -> None:
        """Print what is new, rank by rank; not what C++ wrote, which is kept for a rank that dies."""
        for rank in range(self.world_size):
            for kind, stream in (("out", sys.stdout), ("err", sys.stderr), ("log", None)):
                content = self._content(rank, kind)
                for line in _text(content).splitlines() if stream else []:
                    print(f"rank {rank}: {line}", file=stream)
                path = self._path(rank, kind)
                self._seen[path] = self._seen.get(path, 0) + len(content)

    def new(self, rank: int, kind: str) -> str:
        """Return what one rank has written since `show` was last called. `kind`: "out", "err" or "log"."""
        return _text(self._content(rank, kind))

    def _path(self, rank, kind):
        return self.folder / f"{rank}.{kind}"

    def _content(self, rank, kind):
        path = self._path(rank, kind)
        if not path.exists():
            return b""
        with path.open("rb") as file:
            file.seek(self._seen.get(path, 0))
            return file.read()


def _text(content):
    return content.decode("utf-8", errors="replace")


class Members:
    """`world_size` new processes that meet in one process group of `backend`, and a `folder` for what they write.

    Each has one thread and speaks over the loopback interface; they meet through a file: no port, no network. On
    Linux they are forked from a process that has imported torch.
    """

    def __init__(self, world_size: int, *, backend: str):
        self.world_size, self.owner = world_size, os.getpid()
        self.mark = processes.new_mark("ranks")
        self._scratch = Scratch("ranks-")
        self.folder = self._scratch.path
        self.outputs = Outputs(self.folder, world_size)
        self._processes: list[subprocess.Popen | fork_server.Forked] = []
        job = {"folder": str(self.folder), "world_size": world_size, "backend": backend}
        try:
            for rank in range(world_size):
                self._processes.append(self._start(job | {"rank": rank}))
        except BaseException:
            self.end()
            raise

    def _start(self, job):
        interface = {"GLOO_SOCKET_IFNAME": loopback.INTERFACE} if loopback.INTERFACE else {}
        env = {**os.environ, "OMP_NUM_THREADS": "1"} | interface
        with (self.folder / f"{job['rank']}.log").open("wb") as log:
            return start("course_utils.ranks.worker:main", [json.dumps(job)], mark=self.mark, env=env, log=log)

    def codes(self) -> list[int | None]:
        """Return how each process ended, as `Popen.returncode` has it: None for one that lives."""
        return [process.poll() for process in self._processes]

    def tell(self, word: dict) -> None:
        """Write one line to each process: the next run, or with an empty `word` that they may leave."""
        for process in self._processes:
            with contextlib.suppress(OSError):  # it is dead, which `codes` shows
                process.stdin.write(json.dumps(word) + "\n")
                process.stdin.flush()

    def let_go(self) -> None:
        """Let each leave the group and close its connections: when all have returned, and not before."""
        self.tell({})
        for process in self._processes:
            with contextlib.suppress(subprocess.TimeoutExpired):  # a thread of the function's own keeps it: see end
                process.wait(timeout=5)

    def end(self) -> None:
        """Kill what is left of the ranks and of all they started; show what they wrote, and remove their files."""
        if os.getpid() != self.owner:
            return  # a fork of the owner forgets its copy of the pool: the ranks are not its own
        try:
            processes.end(self.mark)
            for process in self._processes:
                process.kill()  # already ended, unless the system hides its variables from us
                with contextlib.suppress(OSError):  # a word that nobody read
                    process.communicate()
            self.outputs.show()
        finally:
            self._scratch.close()
