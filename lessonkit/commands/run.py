"""`course run`: execute chapters as a learner would, and write a report."""

import shlex
import subprocess
import sys
from pathlib import Path

import click

from lessonkit.commands import options
from lessonkit.system import interrupts
from lessonkit.system.place import HOME


@click.command()
@options.chapters
@click.option("--answers", type=click.Choice(["untouched", "solved"]), default="untouched", show_default=True)
@click.option("--core", is_flag=True, help="Only the core of each chapter, without *Further*.")
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option("--device", type=click.Choice(["auto", "cpu", "cuda", "mps"]), default="auto", show_default=True)
@click.option(
    "--jobs", type=options.Jobs(), default="auto", show_default=True, help="How many chapters run at once."
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=HOME / "build" / "run",
    help="Folder for the executed notebooks and the report. The default is build/run.",
)
@click.option("--resume", is_flag=True, help="Continue a run in --out: keep what has passed and is unchanged.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a parameter. VALUE is read as JSON, or else as text.",
)
@click.option(
    "--limit",
    type=click.FloatRange(min=0.1),
    help="Seconds until a cell is stopped. The default is 600, or 1200 with --profile full.",
)
@options.notebooks
def run(
    chapters: tuple[str, ...],
    answers: str,
    core: bool,
    profile: str,
    device: str,
    jobs: int | None,
    out: Path,
    resume: bool,
    settings: tuple[str, ...],
    limit: float | None,
    notebooks: Path,
) -> None:
    """Execute chapters and write a report.

    All chapters are executed unless you name some by number or slug. After an interruption, --resume continues the
    run: the result of a chapter that has passed is kept if its notebook, its parameters and data, the course and
    its packages are the same.

    Exit status: 0 all passed, 1 something failed, 2 refused, 130 interrupted.
    """
    interrupts.leave_with("Interrupted before a chapter was run.")
    # Imports nbformat and rich, for which `course --help` must not wait.
    from lessonkit.runner.request import RunRequest
    from lessonkit.runner.run import carry_out

    request = RunRequest(
        names=chapters,
        answers=answers,
        extent="core" if core else "whole",
        profile=profile,
        device=device,
        jobs=jobs,
        out=out.resolve(),
        resume=resume,
        settings=settings,
        limit=limit or (600.0 if profile == "quick" else 1200.0),
        notebooks=notebooks,
    )
    status = carry_out(request)
    interrupts.ignore()
    if status == interrupts.CODE:
        words = ["course", *sys.argv[1:2], *([] if resume else ["--resume"]), *sys.argv[2:]]
        said = subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
        click.echo(
            f"Interrupted. The results of chapters that passed are kept; this command runs the rest:\n    {said}"
        )
    sys.exit(status)
