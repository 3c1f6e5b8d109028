"""`course release` and `course collect`: notebooks for a room, and what the room has handed in."""

import sys
from pathlib import Path

import click

from lessonkit.commands import options
from lessonkit.notebook.catalog import find, repaired, select

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.option("--to", type=_FOLDER, required=True, help="Folder for the notebooks.")
@options.only_chapters()
@click.option("--core", is_flag=True, help="Only the core of each chapter, without *Further*.")
@click.option("--clear-bets", is_flag=True, help="Leave out our outputs below a question that people answer first.")
@options.notebooks
def release(to: Path, chapters: tuple[str, ...], core: bool, clear_bets: bool, notebooks: Path) -> None:
    """Write notebooks to hand out to a class.

    They open without outputs. Pages beside them show ours, without verdicts, hints or answers. Links lead only to
    what is handed out. By a manifest beside them, `course grade --released` knows what counts.
    """
    from lessonkit.notebook.what_we_saw import FOLDER
    from lessonkit.teach.room.release import MANIFEST
    from lessonkit.teach.room.release import release as write  # imports nbformat, for which `--help` must not wait

    chosen = select(find(notebooks), chapters)
    for sentence in repaired(chosen):
        click.echo(sentence, err=True)
    released = write(chosen, to, core=core, without_bets=clear_bets)
    for one in released:
        bets = f" ({one.bets} of them below a bet)" if clear_bets else ""
        left_out = f", {one.left_out} cells of Further left out" if one.left_out else ""
        click.echo(f"{one.name}: outputs of {one.cleared} cells{bets} are not handed out{left_out}")
        for warning in one.warnings:
            click.echo(f"  Warning: {warning}", err=True)
    if any(one.warnings for one in released):
        click.echo(
            "Cells are counted from 1, from the top of the notebook in the handout, text included. Code is not "
            "rewritten, so what a warning names is in the handout.",
            err=True,
        )
    click.echo(f"The notebooks open without outputs. The pages in {to / FOLDER} show what we saw, cell by cell.")
    click.echo(f"{to / MANIFEST} says which versions these are.")


@click.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path), metavar="DIR_OR_ARCHIVE")
@click.option("--to", type=_FOLDER, required=True, help="Folder for the hand-ins, with one folder per learner.")
@click.option(
    "--roster",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="CSV file with the people in the course, to say who has handed in nothing and how names are written.",
)
@options.notebooks
def collect(source: Path, to: Path, roster: Path | None, notebooks: Path) -> None:
    """Gather the notebooks that a class has handed in.

    They may come as folders, archives, or a learning platform's zip. A manifest is written with them
    (collected.json).

    Exit status: 0 all was taken, 1 something was refused, 2 everything was refused.
    """
    from lessonkit.teach.room.collect import collect as gather
    from lessonkit.teach.room.counted import counted
    from lessonkit.teach.room.roster import read_roster

    done = gather(source, to, find(notebooks), roster=read_roster(roster) if roster else ())
    for sentence in done.refused:
        click.echo(f"Refused: {sentence}.", err=True)
    for sentence in done.told:
        click.echo(f"{sentence}.")
    if left_out := sum(done.rubbish.values()):
        names = ", ".join(list(done.rubbish)[:3])
        files = "1 file" if left_out == 1 else f"{left_out} files"
        click.echo(f"Left out, because they are no hand-ins: {files} of systems and programs ({names}).")
    if done.roster:
        absent = f": {', '.join(done.absent)}" if done.absent else ""
        click.echo(f"{len(done.absent)} of the roster handed in nothing{absent}.")
    again = f"; {done.there} {'was' if done.there == 1 else 'were'} there already" if done.there else ""
    books, people = counted(len(done.written), "notebook"), counted(done.learners, "learner")
    click.echo(f"{books} of {people} in {to}{again}.")
    sys.exit(bool(done.refused) and (1 if done.written or done.there else 2))
