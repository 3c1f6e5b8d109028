"""Runs chapters, each in a child process, and hands what they report to a `Report` and a display."""

import os
import queue
from pathlib import Path

from course_utils import PROJECT
from course_utils.notebook.catalog import Chapter
from course_utils.runner.process import Child, Plan
from course_utils.system import processes


def run(chapters: list[Chapter], plan: Plan, *, report, display) -> bool:
    """Runs `chapters` as `plan` says; returns False when it was interrupted (Ctrl-C).

    `report.add(entry)` gets each chapter's entry as soon as it is known; `display.heard(name, event)` every event
    and `display.done(entry)` the end. One chapter's failure does not keep the others from running.
    """
    plan.out.mkdir(parents=True, exist_ok=True)
    for chapter in chapters:  # what an earlier run left must not pass for this one's
        (plan.out / f"{chapter.name}.ipynb").unlink(missing_ok=True)
    waiting, running, events = list(chapters), [], queue.Queue()
    mark, env = processes.new_mark("course"), environment(plan.jobs)

    def finish(one: Child, status: str | None = None, error: str | None = None) -> None:
        entry = one.close(status, error)
        running.remove(one)
        report.add(entry)
        display.done(entry)

    try:
        while waiting or running:
            # Kernels choose their ports as they start, and two that start at once can choose the same.
            if waiting and len(running) < plan.jobs and all(one.up for one in running):
                running.append(Child(waiting.pop(0), plan, mark=mark, env=env, events=events))
                display.heard(running[-1].chapter.name, {"event": "begin"})
            try:
                one, event = events.get(timeout=0.2)
            except queue.Empty:
                for one in [one for one in running if one.is_stuck()]:
                    finish(one, "timeout", f"{one.cell} -> silent beyond its limit of {plan.limit:g} s; ended")
                continue
            if one not in running:
                continue  # a late word of one that was ended
            one.hear(event)
            display.heard(one.chapter.name, event)
            if event["event"] == "gone":
                finish(one)
    except KeyboardInterrupt:
        for one in list(running):
            finish(one, "interrupted", f"interrupted in {one.cell}")
        return False
    finally:
        processes.end(mark)
    return True


def environment(jobs: int = 1) -> dict[str, str]:
    """The environment of the kernels, of which `jobs` run side by side.

    COURSE_DATA absolute, since they run elsewhere; no progress bars; this Python's kernel before the user's;
    IPython's own choice of a matplotlib backend, so that pictures are kept; and threads that spin for a short time
    only before they sleep: long spinning slows a busy machine down many times over (seen: 50 s instead of 13 s),
    none at all costs a quiet one a quarter. Side by side, each takes its share of the cores unless OMP_NUM_THREADS
    is set: two kernels with two threads each on two cores wait for each other at the end of every operation.
    """
    env = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    if data := env.get("COURSE_DATA"):
        places = [Path.cwd() / data, PROJECT / data]
        env["COURSE_DATA"] = str(next((place for place in places if place.exists()), places[0]).resolve())
    path = [str(PROJECT), *filter(None, [env.get("PYTHONPATH")])]
    if jobs > 1:
        env.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // jobs)))
    env.setdefault("GOMP_SPINCOUNT", "10000")  # of GNU's OpenMP, which torch uses on Linux
    return env | {"TQDM_DISABLE": "1", "JUPYTER_PREFER_ENV_PATH": "1", "PYTHONPATH": os.pathsep.join(path)}
