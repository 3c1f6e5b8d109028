"""`course grade`: a room's submissions judged, each where it can harm nobody."""

import sys
from pathlib import Path

import click

from lessonkit.commands import options


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the grades."
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="How many submissions are judged at once.",
)
@click.option(
    "--seconds", type=click.FloatRange(min=3), default=30.0, show_default=True, help="Time limit of an exercise."
)
@click.option(
    "--resubmissions",
    type=click.Choice(["latest", "best"]),
    default="latest",
    show_default=True,
    help="Which of several hand-ins of one learner and chapter counts.",
)
@click.option("--anew", is_flag=True, help="Also grade again what has been graded before.")
@click.option("--unconfined", is_flag=True, help="Grade even if this system cannot isolate submissions.")
@click.option(
    "--released",
    type=click.Path(exists=True, path_type=Path),
    help="Folder that `course release` wrote. Only exercises that were handed out count.",
)
@options.notebooks
def grade(
    folder: Path,
    out: Path,
    jobs: int,
    seconds: float,
    resubmissions: str,
    anew: bool,
    unconfined: bool,
    released: Path | None,
    notebooks: Path,
) -> None:
    """Judge the notebooks in DIR and write a report.

    DIR is what `course collect` wrote, or any folder of notebooks. What has been graded before by the same
    course is kept. Points in overrides.csv, in the folder of the grades, replace those of a check.

    Exit status: 0 all were judged, 1 a file or a line of overrides.csv could not be used, 2 refused, 130
    interrupted.
    """
    from lessonkit.teach.room.grade import carry_out  # imports torch, for which `course --help` must not wait

    sys.exit(
        carry_out(
            folder,
            out,
            jobs=jobs,
            seconds=seconds,
            anew=anew,
            unconfined=unconfined,
            chapters=notebooks,
            resubmissions=resubmissions,
            released=released,
        )
    )
