"""One `course run`: checked as a whole before anything starts, then carried out."""

from dataclasses import replace
from pathlib import Path

from filelock import FileLock, Timeout
from rich.console import Console

from course_utils import machine
from course_utils.notebook import catalog
from course_utils.notebook.catalog import Chapter, Refused
from course_utils.runner import console, jobs, report, series
from course_utils.runner.request import RunRequest, resolve_device

PASSED, FAILED, INTERRUPTED = 0, 1, 130


def carry_out(request: RunRequest) -> int:
    """Run what `request` asks for, show it and write the report; return the exit status.

    Raises `Refused`, before anything has run, when the request cannot be carried out.
    """
    chapters = catalog.find(request.notebooks)
    device = resolve_device(request.device)
    if request.out == Path(request.notebooks).resolve():
        raise Refused(f"--out {request.out} is where the chapters lie; they would be overwritten")
    made_with = {"answers": request.answers, "extent": request.extent}
    made_with |= {"profile": request.profile, "device": device}
    earlier = report.earlier(request.out, **made_with) if request.resume else None
    names = request.names or tuple(result.name for result in (earlier or {"chapters": []})["chapters"])
    chosen = catalog.select(chapters, names)
    request = replace(request, parameters={chapter.name: request.injected(chapter) for chapter in chosen})
    request.out.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(request.out / "run.lock", timeout=0):
            return _run(chosen, request, made_with=made_with, earlier=earlier)
    except Timeout:
        raise Refused(f"another `course run` is writing into {request.out}; give this one another --out") from None


def _run(chosen: list[Chapter], request: RunRequest, *, made_with: dict[str, str], earlier: dict | None) -> int:
    screen = Console(highlight=False)
    if not screen.is_terminal:
        screen.width = 160  # a log has no edge; 80 columns would fold the table
    side_by_side = jobs.Jobs(request.jobs, "as asked for") if request.jobs else None
    side_by_side = side_by_side or jobs.choose([chapter.name for chapter in chosen], made_with["device"])
    request = replace(request, jobs=side_by_side.number)
    facts = machine.describe() | {"work_seconds": round(machine.work_seconds(), 4)}
    written = report.Report(request.out, chosen, **made_with, machine=facts, jobs=side_by_side)
    todo = written.keep_passed(earlier) if earlier else chosen
    written.save()
    if len(todo) > 1:
        screen.print(f"Chapters side by side: {side_by_side.number} ({side_by_side.why}).")
    with console.of(screen) as display:
        finished = series.run(todo, request, report=written, display=display)
    written.save()
    console.summary(screen, written)
    if not finished:
        return INTERRUPTED
    return PASSED if written.passed() else FAILED


def passed_in(out: Path) -> set[str]:
    """Return the names of the chapters that passed, by the report in `out`."""
    return {result.name for result in report.read(out / report.NAME)["chapters"] if result.passed}
