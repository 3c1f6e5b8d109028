"""Carry out one `course run`: check the whole request before anything starts, then execute and report."""

import platform
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from filelock import FileLock, Timeout
from rich.console import Console
from rich.text import Text

from lessonkit.notebook import catalog
from lessonkit.notebook.catalog import Chapter
from lessonkit.runner import console, jobs, report, scheduler
from lessonkit.runner.estimate import estimate, in_words
from lessonkit.runner.request import RunRequest, resolve_device
from lessonkit.system import atomic, disk, interrupts, limits
from lessonkit.system.course import hook
from lessonkit.system.errors import Refused
from lessonkit.system.loopback import why_no_loopback

PASSED, FAILED, INTERRUPTED = 0, 1, interrupts.CODE


def carry_out(request: RunRequest) -> int:
    """Run what `request` asks for, show it and write the report; return the exit status.

    Raises `Refused`, before anything has run, when the request cannot be carried out.
    """
    if why := why_no_loopback():
        raise Refused(f"no kernel could be spoken to, as 127.0.0.1 cannot be reached ({why}); see `course doctor`")
    chapters = catalog.find(request.notebooks)
    device = resolve_device(request.device)
    if request.out == Path(request.notebooks).resolve():
        raise Refused(f"--out {request.out} is where the chapters lie; they would be overwritten")
    made_with = {"answers": request.answers, "extent": request.extent}
    made_with |= {"profile": request.profile, "device": device}
    earlier = report.earlier(request.out, **made_with) if request.resume else None
    names = [result.name for result in (earlier or {"chapters": []})["chapters"]]
    chosen = catalog.select(chapters, request.names or names)
    # Of the others that the report knows, what has passed stays in it.
    known = [chapter for chapter in chapters if chapter in chosen or chapter.name in names]
    request = replace(request, parameters={chapter.name: request.injected(chapter) for chapter in known})
    try:
        atomic.make_folder(request.out)
        with interrupts.held() as interrupted, FileLock(request.out / "run.lock", timeout=0):
            # Once more: another run may have ended only now.
            earlier = report.earlier(request.out, **made_with) if request.resume else None
            said = {"made_with": made_with, "earlier": earlier, "interrupted": interrupted}
            return _run(chosen, known, request, **said)
    except Timeout:
        raise Refused(f"another `course run` is writing into {request.out}; give this one another --out") from None
    except OSError as error:
        if not disk.is_full(error):
            raise
        goes_on = "--resume goes on with what had not passed" if (request.out / report.NAME).exists() else ""
        raise Refused("; ".join(filter(None, [disk.explain(error), goes_on]))) from error


def _run(
    chosen: list[Chapter],
    known: list[Chapter],
    request: RunRequest,
    *,
    made_with: dict[str, str],
    earlier: dict | None,
    interrupted: Callable[[], bool],
) -> int:
    screen = Console(highlight=False)
    if not screen.is_terminal:
        screen.width = 160  # a log has no edge; 80 columns would fold the table
    side_by_side = jobs.Jobs(request.jobs, "as asked for") if request.jobs else None
    side_by_side = side_by_side or jobs.choose([chapter.name for chapter in chosen], made_with["device"])
    request = replace(request, jobs=side_by_side.number)
    if len(chosen) > 1:
        screen.print(f"{len(chosen)} chapters are to be run. How fast is this machine? A moment …")
    facts = described()
    written = report.Report(request.out, known, **made_with, machine=facts, jobs=side_by_side)
    todo = _remaining(chosen, request, written, earlier, screen) if request.resume else chosen
    written.save()
    expected = estimate([chapter.name for chapter in todo], side_by_side.number, facts.get("work_seconds"))
    if len(todo) > 1:
        screen.print(f"Chapters side by side: {side_by_side.number} ({side_by_side.why}).")
        about = f"They take about {in_words(expected)} here. " if expected else ""
        screen.print(
            f"{about}Each can be opened in {request.out} as soon as its line says how it ended.", soft_wrap=True
        )
    began = time.monotonic()
    if warning := jobs.too_little([chapter.name for chapter in todo], made_with["device"]):
        screen.print(warning)
    with console.display_for(screen) as display:
        finished = scheduler.run(todo, request, report=written, display=display, interrupted=interrupted)
    written.save()
    console.summary(screen, written)
    if not finished:
        return INTERRUPTED
    if expected and len(todo) > 1:
        took = time.monotonic() - began
        screen.print(f"Expected: about {in_words(expected)}. It took {in_words(took)} ({took:.0f} s).")
    return PASSED if written.passed({chapter.name for chapter in chosen}) else FAILED


def described() -> dict[str, object]:
    """Return what a report says of this machine: what the course's hook `machine` says, else cores and system."""
    machine = hook("machine")
    if machine is None:
        system = f"{platform.system()} {platform.release()} {platform.machine()}"
        return {"cores": limits.cores(), "os": system, "python": platform.python_version()}
    return machine.describe() | {"work_seconds": round(machine.work_seconds(), 4)}


def _remaining(
    chosen: list[Chapter], request: RunRequest, written: report.Report, earlier: dict | None, screen: Console
) -> list[Chapter]:
    """Take over into `written` what an earlier run has done; say what, and why the rest is run; return the rest."""

    def say(text: str) -> None:
        screen.print(Text(text), soft_wrap=True)

    if earlier is None:
        say(f"Nothing to go on with: there is no {request.out / report.NAME}, so every chapter is run.")
        return chosen
    asked = {chapter.name for chapter in chosen}
    anew = written.keep_passed(earlier, request.parameters, asked=asked)
    todo = [chapter for chapter in chosen if chapter.name in anew]
    there = len(written.results) - len(anew)
    say(f"Going on with {request.out / report.NAME}: {there} kept, {len(todo)} to be run.")
    for result in written.results:
        if result.kept:
            say(f"{result.name}: kept, passed in {result.seconds:.1f} s ({result.kept_from})")
        elif result.name in asked:
            say(f"{result.name}: to be run, as {anew[result.name]}")
        else:
            say(f"{result.name}: left, as it was not asked for, though {anew[result.name]}")
    return todo


def passed_in(out: Path) -> set[str]:
    """Return the names of the chapters that passed, by the report in `out`."""
    return {result.name for result in report.read(out / report.NAME)["chapters"] if result.passed}
