"""One `course run`: checked as a whole before anything starts, then carried out."""

import json
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout
from rich.console import Console

from course_utils.notebook import catalog
from course_utils.notebook.catalog import Refused
from course_utils.runner import console as display
from course_utils.runner import report as reports
from course_utils.runner import series
from course_utils.runner.process import Plan

PASSED, FAILED, INTERRUPTED = 0, 1, 130


@dataclass(frozen=True, kw_only=True)
class Order:
    """What was asked for on the command line."""

    names: tuple[str, ...] = ()
    answers: str = "untouched"
    profile: str = "quick"
    device: str = "auto"
    jobs: int = 1
    out: Path
    resume: bool = False
    settings: tuple[str, ...] = ()
    limit: float = 60.0
    notebooks: Path = catalog.NOTEBOOKS


def carry_out(order: Order) -> int:
    """Runs what `order` asks for, shows it and writes the report; returns the exit status.

    Raises `Refused`, before anything has run, when the order cannot be carried out.
    """
    chapters = catalog.find(order.notebooks)
    device = resolve_device(order.device)
    if order.out == Path(order.notebooks).resolve():
        raise Refused(f"--out {order.out} is where the chapters lie; they would be overwritten")
    settings = {"answers": order.answers, "profile": order.profile, "device": device}
    earlier = reports.earlier(order.out, **settings) if order.resume else None
    names = order.names or tuple(entry["name"] for entry in (earlier or {"chapters": []})["chapters"])
    chosen = catalog.select(chapters, names)
    plan = Plan(
        out=order.out,
        answers=order.answers,
        parameters={chapter.name: injected(chapter, order) for chapter in chosen},
        limit=order.limit,
        jobs=order.jobs,
    )
    order.out.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(order.out / "run.lock", timeout=0):
            return _run(chosen, plan, settings=settings, earlier=earlier)
    except Timeout:
        raise Refused(f"another `course run` is writing into {order.out}; give this one another --out") from None


def _run(chosen: list[catalog.Chapter], plan: Plan, *, settings: dict[str, str], earlier: dict | None) -> int:
    from course_utils import machine

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 160  # a log has no edge; 80 columns would fold the table
    report = reports.Report(plan.out, chosen, **settings, machine=machine.describe())
    todo = report.keep_passed(earlier) if earlier else chosen
    report.save()
    with display.of(console) as shown:
        finished = series.run(todo, plan, report=report, display=shown)
    report.save()
    display.summary(console, report.contents(), plan.out)
    if not finished:
        return INTERRUPTED
    return PASSED if report.passed() else FAILED


def passed_in(out: Path) -> set[str]:
    """Names of the chapters that passed, by the report in `out`."""
    chapters = json.loads((out / reports.NAME).read_text(encoding="utf-8"))["chapters"]
    return {chapter["name"] for chapter in chapters if chapter["status"] == "passed"}


def injected(chapter: catalog.Chapter, order: Order) -> dict[str, object]:
    """The parameters that must be injected into `chapter` for `order`."""
    device = None if order.device == "auto" else order.device
    given = {"PROFILE": order.profile, "DEVICE": device} | dict(map(setting, order.settings))
    # A chapter without PROFILE or DEVICE has no use for the default, but cannot be given another.
    standard = {"PROFILE": "quick", "DEVICE": None}
    optional = tuple(name for name, value in standard.items() if given[name] == value)
    return catalog.changed(chapter, given, optional=optional)


def setting(text: str) -> tuple[str, object]:
    """`NAME=VALUE` as a pair; the value is JSON, or the text itself where it is not."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise Refused(f"--set {text}: expected NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def resolve_device(name: str) -> str:
    """The device that `name` stands for: `auto` takes the best there is.

    Raises `Refused` for one that this machine does not have.
    """
    import torch

    there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if name == "auto":
        return next(device for device, available in there.items() if available)
    if not there[name]:
        names = ", ".join(device for device, available in there.items() if available)
        raise Refused(f"--device {name}: torch {torch.__version__} finds no {name} device here; there is: {names}")
    return name
