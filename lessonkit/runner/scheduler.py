"""Run chapters in worker processes, several in parallel, and pass their events to the report and the display."""

import queue
from collections.abc import Callable

from lessonkit.notebook.catalog import Chapter
from lessonkit.runner import jobs
from lessonkit.runner.console import Lines, Live
from lessonkit.runner.environment import kernel_environment
from lessonkit.runner.process import Child
from lessonkit.runner.report import Report
from lessonkit.runner.request import RunRequest
from lessonkit.system import atomic, processes


def run(
    chapters: list[Chapter],
    request: RunRequest,
    *,
    report: Report,
    display: Lines | Live,
    interrupted: Callable[[], bool],
) -> bool:
    """Run `chapters` as `request` says; return False if `interrupted()` ended the run early.

    `report.add(result)` gets each chapter's result as soon as it is known; `display.heard(name, event)` every event
    and `display.done(result)` the end. One chapter's failure does not keep the others from running.
    """
    atomic.make_folder(request.out)
    for chapter in chapters:  # what an earlier run left must not pass for this one's
        request.output(chapter).unlink(missing_ok=True)
    running, events = [], queue.Queue()
    waiting = list(chapters) if request.jobs == 1 else jobs.longest_first(chapters)
    mark, env = processes.new_mark("course"), kernel_environment(min(request.jobs, len(chapters) or 1))

    def finish(one: Child, status: str | None = None, error: str | None = None) -> None:
        result = one.close(status, error)
        running.remove(one)
        report.add(result)
        display.done(result)

    try:
        while waiting or running:
            if interrupted():
                while not events.empty():
                    one, event = events.get()
                    one.hear(event)
                for one in list(running):
                    done = one.result is not None and one.result.passed
                    finish(one, *(() if done else ("interrupted", f"interrupted in {one.cell}")))
                return False
            # Kernels choose their ports as they start, and two that start at once can choose the same.
            if waiting and len(running) < request.jobs and all(one.up for one in running):
                running.append(Child(waiting.pop(0), request, mark=mark, env=env, events=events))
                display.heard(running[-1].chapter.name, {"event": "begin"})
            try:
                one, event = events.get(timeout=0.2)
            except queue.Empty:
                for one in running:
                    if sentence := one.nears_its_limit():
                        display.note(one.chapter.name, sentence)
                for one in [one for one in running if one.is_stuck()]:
                    finish(one, "timeout", f"{one.cell} -> silent beyond its limit of {one.limit:g} s; ended")
                continue
            if one not in running:
                continue  # a late word of one that was ended
            one.hear(event)
            display.heard(one.chapter.name, event)
            if event["event"] == "gone":
                finish(one)
    finally:
        processes.end(mark)
        for one in running:  # after an error: a full disk, say
            one.scratch.close()
    return True
