"""`course nbgrader`: the chapters as a course directory of nbgrader's."""

from pathlib import Path

import click

from lessonkit.commands import options
from lessonkit.notebook.catalog import find, repaired, select


@click.command()
@click.option(
    "--to", type=click.Path(file_okay=False, path_type=Path), required=True, help="The course directory to write."
)
@options.only_chapters()
@click.option("--core", is_flag=True, help="Only the core of each chapter, without *Further*.")
@click.option(
    "--points",
    multiple=True,
    metavar="NUMBER|NAME=NUMBER",
    help="Points for every exercise, or for one; may be given several times. The default is its stars.",
)
@options.notebooks
def nbgrader(to: Path, chapters: tuple[str, ...], core: bool, points: tuple[str, ...], notebooks: Path) -> None:
    """Write a course directory for nbgrader.

    Each chapter becomes an assignment, and each exercise has points. What the room hands in is run beside
    what judges it; `course grade` keeps the two apart.
    """
    # imports nbformat, for which `--help` must not wait
    from lessonkit.teach.assignments.course_directory import write
    from lessonkit.teach.assignments.marking import amount
    from lessonkit.teach.assignments.points import parse

    chosen = select(find(notebooks), chapters)
    made = write(chosen, to, core=core, points=parse(points))
    for sentence in repaired(chosen):
        click.echo(sentence, err=True)
    for one in made:
        each = ", ".join(f"{name} {number:g}" for name, number in one.points.items())
        click.echo(f"{one.name}: {amount(sum(one.points.values()))} ({each})")
    click.echo(f"Next, in {to}: nbgrader generate_assignment {made[0].name}")
