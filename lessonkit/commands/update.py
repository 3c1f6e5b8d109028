"""`course update` and `course reset`: update the learner's copies, or start them again from the originals."""

import sys
from typing import TYPE_CHECKING

import click

from lessonkit.desk.folder import Desk, work_folder
from lessonkit.notebook.catalog import find, select

if TYPE_CHECKING:
    from lessonkit.desk.copies import Outcome


@click.command()
def update() -> None:
    """Merge changes of the course into your copies.

    What you wrote is carried over, and your old copies are kept in work/old.

    Exit status: 0 all is up to date, 1 a copy is left as it was, 2 refused.
    """
    from lessonkit.desk.copies import bring  # imports nbformat, for which `course --help` must not wait

    desk = Desk(work_folder())
    outcome = bring(desk)
    if not outcome.said and not outcome.troubles:
        click.echo(f"{desk.shown(desk.work)} is up to date.")
    sys.exit(print_outcome(outcome))


@click.command()
@click.argument("chapters", nargs=-1, required=True, metavar="CHAPTER...")
def reset(chapters: tuple[str, ...]) -> None:
    """Replace your copy of a chapter with a new one.

    Your present copy is kept in work/old.
    """
    from lessonkit.desk.copies import reset as begin_anew

    desk = Desk(work_folder())
    sys.exit(print_outcome(begin_anew(desk, select(find(desk.originals), chapters))))


def print_outcome(outcome: "Outcome") -> bool:
    """Print what was done and what could not be; return whether there was such trouble."""
    for sentence in outcome.said:
        click.echo(sentence)
    for sentence in outcome.troubles:
        click.echo(sentence, err=True)
    return bool(outcome.troubles)
