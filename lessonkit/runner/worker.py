"""Execute one notebook, and report each step as a line of JSON.

Started by `process` through `child`, with what `RunRequest.job` returns as a line of standard input, whose end ends
it too. Lines written: `{"event": "kernel"}`, `{"event": "end", "seconds"}`,
`{"event": "start", "cell", "number", "of"}`, `{"event": "result", "result": a ChapterResult as JSON}`.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import TextIO

import nbformat
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from papermill.engines import NBClientEngine
from papermill.iorw import load_notebook_node
from papermill.parameterize import parameterize_notebook

from lessonkit.notebook import asserts, run_outcome
from lessonkit.notebook.cells import code_cells, keep_core, label
from lessonkit.notebook.reader import load
from lessonkit.notebook.solutions import Unsolvable, solve
from lessonkit.runner import kernel
from lessonkit.runner.assert_client import AssertClient
from lessonkit.runner.request import START
from lessonkit.runner.result import ChapterResult
from lessonkit.system import atomic, disk, processes


class Run:
    """One execution of one notebook: `job` is what `RunRequest.job` returned, `events` takes the lines."""

    def __init__(self, job: dict, *, events: TextIO):
        self.job = job
        self.events = events
        self.nb = load_notebook_node(load(Path(job["notebook"])))  # papermill takes no byte order mark
        self.numbers: dict[int, int] = {}
        self.label: str | None = None
        self.since = 0.0
        self.slowest = (0.0, "")
        self.notes: list[str] = []
        self.finished = 0
        self.asserts: dict[str, str] = {}
        self.broken: list[run_outcome.Problem] = []  # what no longer held after a cell
        self.assert_client: AssertClient | None = None  # while the kernel is there
        self.saving = threading.Lock()

    def go(self) -> ChapterResult:
        """Execute the notebook and write it out after every cell; return the result, without data and seconds."""
        try:
            self.prepare()
            return self.execute()
        except (Unsolvable, asserts.Malformed) as error:
            return self.result("failed", str(error))
        except OSError as error:
            if disk.is_full(error):
                return self.result("failed", f"{self.label or 'at its start'} -> {disk.explain(error)}")
            raise

    def execute(self) -> ChapterResult:
        """Execute the notebook as `prepare` has left it. Raises OSError where it cannot be written."""
        km, kills, hung = kernel.manager(), kernel.oom_kills(), False
        self.assert_client = AssertClient(km)
        try:
            NBClientEngine.execute_notebook(
                self.nb,
                "python3",
                output_path=None,  # papermill writes in place: killed while it writes, it leaves an empty file
                progress_bar=False,
                start_timeout=START,
                execution_timeout=self.job["limit"],
                iopub_timeout=30,  # the default of 4 s is too short on a busy machine
                store_widget_state=False,
                km=km,
                on_notebook_start=self.on_kernel,
                on_cell_execute=self.on_start,
                on_cell_executed=self.on_end,
            )
        except CellTimeoutError:
            self.measure()
            hung = True
            return self.result("timeout", f"{self.label} -> ended after its limit of {self.job['limit']:g} s")
        except DeadKernelError:  # a RuntimeError, so it must come first
            self.measure()
            return self.result("failed", f"{self.label} -> {kernel.death(km, oom_kills_before=kills)}")
        except RuntimeError as error:
            if self.label is not None:
                raise
            return self.result("failed", f"the kernel did not start: {error}")
        finally:
            try:
                self.save(durable=True)  # before the report says so: `--resume` keeps the one with the other
            finally:
                self.assert_client.close()
                kernel.end(km, now=hung)
        problems = [*map(str, run_outcome.problems(self.nb, answers=self.job["answers"])), *map(str, self.broken)]
        if not problems and self.finished < len(self.numbers):
            problems = [f"stopped after {self.label}, {self.finished} of {len(self.numbers)} cells"]
        return self.result("failed" if problems else "passed", "\n".join(problems) or None)

    def prepare(self) -> None:
        """Keep the core if asked to, solve the exercises, inject the parameters, and read the asserts.

        Raises `Unsolvable` and `asserts.Malformed`.
        """
        self.asserts = asserts.read(Path(self.job["notebook"]))
        if self.job["extent"] == "core":
            keep_core(self.nb)
        if self.job["answers"] == "solved":
            solve(self.nb)
        if given := self.job["parameters"]:
            self.nb = parameterize_notebook(self.nb, given, kernel_name="python3", language="python")
        self.numbers = {id(cell): number for number, cell in enumerate(code_cells(self.nb), start=1)}

    def on_kernel(self, *, notebook: str) -> None:
        """Say that the kernel is up; papermill calls it before the first cell."""
        self.save()
        self.say("kernel")

    def on_start(self, *, cell: NotebookNode, cell_index: int) -> None:
        """Say which cell begins, and take the time; papermill calls it before every cell."""
        if id(cell) in self.numbers:
            number = self.numbers[id(cell)]
            self.label = label(number, cell)
            self.say("start", cell=self.label, number=number, of=len(self.numbers))
        self.since = time.monotonic()

    def on_end(self, *, cell: NotebookNode, cell_index: int, execute_reply: dict) -> Awaitable | None:
        """Write the notebook and say how many seconds the cell took; papermill calls it after every cell.

        What is returned is awaited before the next cell begins.
        """
        self.finished += id(cell) in self.numbers
        self.save()
        self.say("end", seconds=self.measure())
        code = self.asserts.get(cell.get("id"))
        return self.hold(code) if code else None

    async def hold(self, code: str) -> None:
        """Execute the asserts of the cell that has just run; note which of them fails.

        Raises `CellTimeoutError` where they do not end.
        """
        try:
            broken = await self.assert_client.first_broken(code, limit=self.job["limit"])
        except TimeoutError as error:
            self.label = f"the asserts after {self.label}"
            raise CellTimeoutError(self.label) from error
        if broken:
            self.broken.append(run_outcome.Problem(self.label, broken))

    def save(self, *, durable: bool = False) -> None:
        """Write the notebook as far as it has run, atomically; `durable`: it survives a crash of the machine."""
        with self.saving:
            atomic.write(self.job["output"], nbformat.writes(self.nb).encode(), durable=durable)

    def measure(self) -> float:
        """Return the seconds since the cell began, and remember them when it is the slowest so far."""
        seconds = time.monotonic() - self.since
        self.slowest = max(self.slowest, (seconds, self.label or "injected parameters"))
        if (goal := self.job["goal"]) and seconds > goal:
            self.notes.append(f"{self.label} -> {seconds:.0f} s, over the goal of {goal:g} s for a cell")
        return round(seconds, 2)

    def result(self, status: str, error: str | None) -> ChapterResult:
        """Return what is known of the chapter, with `status` and `error`."""
        return ChapterResult(
            name=self.job["name"],
            status=status,
            slowest_cell_seconds=round(self.slowest[0], 2),
            slowest_cell=self.slowest[1],
            cells=len(self.numbers),
            exercises=run_outcome.exercises(self.nb),
            error=error,
            notes=self.notes,
        )

    def say(self, event: str, **facts: object) -> None:
        """Write one line of JSON: the event's name and its facts."""
        self.events.write(json.dumps({"event": event, **facts}) + "\n")
        self.events.flush()


def main() -> None:
    """Run the job on standard input; write the events, and at last the result, to standard output."""
    # The kernel inherits file descriptor 1: kept for the events alone, a stray print cannot garble them.
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    run = Run(json.loads(sys.stdin.readline()), events=events)
    with processes.ParentWatcher(
        run.job["scratch"], before=run.saving.acquire
    ):  # for good: the next run may save there
        run.say("result", result=run.go().to_json())
