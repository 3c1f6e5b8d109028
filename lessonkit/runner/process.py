"""The worker process of one chapter, as its parent sees it: start it, follow its events, end it."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from lessonkit.notebook.catalog import Chapter
from lessonkit.runner import resume
from lessonkit.runner.request import START, RunRequest
from lessonkit.runner.result import ChapterResult
from lessonkit.system import atomic, processes
from lessonkit.system.scratch import Scratch

GRACE = 30.0  # seconds a child may be silent beyond the limit of its cell


class Child:
    """A chapter's child process while it runs.

    It begins at once, in the folder `request.out` and with the environment `env`. `mark` is how it and what it
    starts are recognised. `events` gets a pair (this child, event) for each line it writes, at last "gone".
    """

    def __init__(
        self, chapter: Chapter, request: RunRequest, *, mark: str, env: dict[str, str], events: queue.Queue
    ):
        self.chapter, self.request, self.mark = chapter, request, f"{mark}{chapter.name}/"
        self.began = self.heard = time.monotonic()
        self.cell = "the start of the kernel"
        self.cells = 0
        self.up = False
        self.notes: list[str] = []
        self.warned = False  # of the limit of the cell that runs
        self.result: ChapterResult | None = None
        self.notebook = resume.notebook_digest(chapter.path)  # before it is read: one edited meanwhile is run again
        # What is killed leaves its temporary files, a kernel its connection's: here they go with the chapter.
        self.scratch = Scratch("run-")
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self.process = processes.start(
            [sys.executable, "-m", "lessonkit.runner.child"],
            cwd=request.out,
            mark=self.mark,
            env=env | in_folder(self.scratch.path),
            stderr=self.log,
        )
        job = request.job(chapter) | {"scratch": str(self.scratch.path)}
        with contextlib.suppress(OSError):  # it is dead already: its output ends, which `_listen` reports
            self.process.stdin.write(json.dumps(job) + "\n")
            self.process.stdin.flush()  # and it stays open: by its end the child knows that this process has died
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()

    def _listen(self, events: queue.Queue) -> None:
        for line in self.process.stdout:
            with contextlib.suppress(ValueError):  # half a line, as it died while it wrote: "gone" follows
                events.put((self, json.loads(line)))
        events.put((self, {"event": "gone"}))

    def hear(self, event: dict) -> None:
        """Take note of a line the child wrote."""
        self.heard = time.monotonic()
        if event["event"] == "kernel":
            self.up = True
        elif event["event"] == "start":
            self.cell, self.cells, self.warned = event["cell"], event["of"], False
        elif event["event"] == "result":
            self.result = ChapterResult.from_json(event["result"])

    @property
    def limit(self) -> float:
        """The seconds after which what the child does now is ended."""
        return self.request.limit if self.up else START

    def is_stuck(self) -> bool:
        """Return whether the child has been silent for longer than that, though it should have ended it itself."""
        return time.monotonic() - self.heard > self.limit + GRACE

    def nears_its_limit(self) -> str | None:
        """Return a sentence, once for each cell that has used half of the time after which it is ended."""
        running = time.monotonic() - self.heard
        if not self.up or self.warned or running < self.request.limit / 2:
            return None
        self.warned = True
        self.notes.append(
            f"{self.cell} -> had been running for {running:.0f} s; it is ended after {self.request.limit:g} s "
            "(--limit SECONDS gives it longer)"
        )
        return self.notes[-1]

    def close(self, status: str | None = None, error: str | None = None) -> ChapterResult:
        """End what is left of the family; return the chapter's result.

        Without `status` the child's own result counts; a child that left none, or a process behind, has failed.
        """
        code = None if status else self._exit_code()
        ended_well = not status and self.result is not None and self.result.passed
        left = processes.leftovers(self.mark) if ended_well else []
        processes.end(self.mark)
        self.process.wait()
        atomic.remove_unfinished(self.request.output(self.chapter))  # of a child ended while it saved
        result = self.result or ChapterResult(name=self.chapter.name, cells=self.cells)
        if status:
            result = replace(result, status=status, error=error)
        elif self.result is None:
            result = replace(result, status="failed", error=self._death(code))
        elif left:
            result = replace(result, status="failed", error=f"left running at its end: {', '.join(left)}")
        if result.passed:
            self.scratch.give_back()  # what it meant to leave, such as a compiler's cache
        with contextlib.suppress(OSError):  # a job that it did not read to its end
            self.process.stdin.close()
        self.log.close()
        self.scratch.close()
        return replace(
            result,
            seconds=round(time.monotonic() - self.began, 2),
            notes=[*self.notes, *result.notes],
            notebook=self.notebook,
            parameters=self.request.parameters.get(self.chapter.name, {}),
            ended=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    def _exit_code(self) -> int | None:
        """Return the exit code of a child that has closed its output; None for one that does not end."""
        try:
            return self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            return None

    def _death(self, code: int | None) -> str:
        """Return how a child without a result ended, with the end of its error output."""
        if code is None:
            how = "closed its output and did not end"
        elif code < 0:
            how = f"was {processes.ending(code)}, in {self.cell}"
        else:
            how = processes.ending(code)
        self.log.seek(0)
        tail = self.log.read().decode("utf-8", "replace").strip()[-1500:]
        return f"the runner's child {how}" + (f": {tail}" if tail else "")


def in_folder(folder: Path) -> dict[str, str]:
    """Return the variables that make `folder` the one for temporary files; not for what torch has compiled."""
    compiled = Path(tempfile.gettempdir(), f"torchinductor_{getattr(os, 'getuid', lambda: 'me')()}")
    cache = {"TORCHINDUCTOR_CACHE_DIR": os.environ.get("TORCHINDUCTOR_CACHE_DIR", str(compiled))}
    return dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder)) | cache
