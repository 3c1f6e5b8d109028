"""The child process that runs one chapter, seen from its parent."""

import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from course_utils.notebook.catalog import Chapter
from course_utils.system import processes

START_LIMIT = 90.0  # seconds in which a kernel must be up
GRACE = 20.0  # seconds a child may be silent beyond the limit of its cell
NOTHING = {
    "slowest_cell_seconds": 0.0,
    "slowest_cell": "",
    "cells": 0,
    "exercises": {"attempted": 0, "passed": 0, "total": 0},
}


@dataclass(frozen=True)
class Plan:
    """How the chapters are to be run; `parameters` holds, by chapter name, what is injected."""

    out: Path
    answers: str = "untouched"
    parameters: dict[str, dict[str, object]] = field(default_factory=dict)
    limit: float = 60.0  # seconds a cell may take
    jobs: int = 1


class Child:
    """A chapter's child process while it runs."""

    def __init__(self, chapter: Chapter, plan: Plan, *, mark: str, env: dict[str, str], events: queue.Queue):
        self.chapter, self.plan, self.mark = chapter, plan, f"{mark}{chapter.name}/"
        self.began = self.heard = time.monotonic()
        self.cell = "the start of the kernel"
        self.cells = 0
        self.up = False
        self.result: dict | None = None
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self.output = plan.out / f"{chapter.name}.ipynb"
        self.process = processes.start(
            [sys.executable, "-m", "course_utils.runner.worker"],
            cwd=plan.out,
            mark=self.mark,
            env=env,
            stderr=self.log,
        )
        job = {
            "notebook": str(chapter.path.resolve()),
            "output": str(self.output),
            "answers": plan.answers,
            "parameters": plan.parameters.get(chapter.name, {}),
            "limit": plan.limit,
        }
        self.process.stdin.write(json.dumps(job))
        self.process.stdin.close()
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()

    def _listen(self, events: queue.Queue) -> None:
        for line in self.process.stdout:
            events.put((self, json.loads(line)))
        events.put((self, {"event": "gone"}))

    def hear(self, event: dict) -> None:
        """Takes note of a line the child wrote."""
        self.heard = time.monotonic()
        if event["event"] == "kernel":
            self.up = True
        elif event["event"] == "start":
            self.cell, self.cells = event["cell"], event["of"]
        elif event["event"] == "result":
            self.result = {key: value for key, value in event.items() if key != "event"}

    def is_stuck(self) -> bool:
        """Whether the child has been silent for longer than any cell may take."""
        patience = self.plan.limit + GRACE if self.up else START_LIMIT
        return time.monotonic() - self.heard > patience

    def close(self, status: str | None = None, error: str | None = None) -> dict:
        """Ends what is left of the family and returns the chapter's entry in the report.

        Without `status` the child's own result counts; a child that left none, or a process behind, has failed.
        """
        code = None if status else self._exit_code()
        ended_well = not status and self.result is not None and self.result["status"] == "passed"
        left = processes.leftovers(self.mark) if ended_well else []
        processes.end(self.mark)
        self.process.wait()
        self.output.with_suffix(".ipynb.part").unlink(missing_ok=True)  # of a child ended while it saved
        result = self.result or {**NOTHING, "cells": self.cells}
        if status:
            result |= {"status": status, "error": error}
        elif self.result is None:
            result |= {"status": "failed", "error": f"the runner's child ended with code {code}: {self._tail()}"}
        elif left:
            result |= {"status": "failed", "error": f"left running at its end: {', '.join(left)}"}
        self.log.close()
        seconds = round(time.monotonic() - self.began, 2)
        return {"name": self.chapter.name, "status": result.pop("status"), "seconds": seconds, **result}

    def _exit_code(self) -> int | None:
        """What a child that has said its last word ends with; None for one that does not end."""
        try:
            return self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            return None

    def _tail(self) -> str:
        self.log.seek(0)
        return self.log.read().decode("utf-8", "replace").strip()[-1500:]
