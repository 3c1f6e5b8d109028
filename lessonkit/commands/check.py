"""`course check`: report errors in the content of chapters, and warn of what may be too much."""

import sys
import time
from pathlib import Path

import click

from lessonkit.commands import options
from lessonkit.notebook.catalog import NOTEBOOKS, Chapter, find, notebook_of, select
from lessonkit.system.course import course
from lessonkit.system.errors import Refused
from lessonkit.system.place import PROJECT


@click.command()
@options.chapters
@click.option("--exercise", metavar="NAME", help="Check only the exercise NAME.")
@click.option(
    "--quick", is_flag=True, help="Skip the mutants and the bank of answers, and try mistakes with one seed."
)
@click.option("--uncompared", is_flag=True, help="Only list the cells whose outputs CI does not compare.")
@options.notebooks
@click.option(
    "--answers",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder with the bank of answers. The default is the course's own.",
)
@click.option("--package", help="Package with the exercises. The default is the course's own.")
def check(
    chapters: tuple[str, ...],
    exercise: str | None,
    quick: bool,
    uncompared: bool,
    notebooks: Path,
    answers: Path | None,
    package: str | None,
) -> None:
    """Check the content of chapters and of their exercises.

    This command is for authors of the course. It checks all chapters unless you name some: notebooks, exercises,
    known mistakes, mutants of the references, and the bank of answers. Errors are facts that have to be fixed;
    warnings are advice about counts.

    Exit status: 0 no error, 1 an error, 2 refused.
    """
    series = find(notebooks)
    answers, package = answers or PROJECT / course().answers, package or course().exercises
    chosen = select(series, chapters)
    if uncompared:
        _list_uncompared(chosen)
        return
    if not answers.is_dir():
        raise Refused(f"there is no folder of answers {answers}; `course check` needs a clone of the course")
    # Import torch and the exercises, for which `course --help` must not wait.
    from lessonkit.review.chapter import Review, own_findings
    from lessonkit.review.exercises import questions

    known = [one.name for chapter in chosen for one in questions(package, chapter.slug).values()]
    if exercise is not None and exercise not in known:
        raise Refused(f"no exercise called {exercise}; there are: {', '.join(known)}")
    review, found, start = Review(answers, package, quick), [], time.perf_counter()
    for chapter in chosen:
        click.echo(f"checking {chapter.name} …", err=True)
        found += review.chapter(chapter, series, exercise)
    if exercise is None and course().checks and notebooks.resolve() == NOTEBOOKS.resolve():
        click.echo("checking what is special to this course …", err=True)
        found += own_findings(PROJECT / course().checks, chosen)
    for level in ("warning", "error"):  # the errors last, where a terminal shows them
        of_level = [finding for finding in found if finding.level == level]
        click.echo(f"\n{len(of_level)} {level}{'s' * (len(of_level) != 1)}{':' * bool(of_level)}")
        for finding in of_level:
            click.echo(f"  {finding}")
    tried = ", ".join(f"{count} {what}" for what, count in review.tried.items())
    click.echo(f"\nChecked in {time.perf_counter() - start:.0f} s: {tried}.")
    sys.exit(any(finding.level == "error" for finding in found))


def _list_uncompared(chosen: list[Chapter]) -> None:
    """Print, chapter by chapter, the cells that are tagged `nbval-ignore-output`, and how many there are."""
    from lessonkit.notebook.cells import code_cells
    from lessonkit.review.anatomy import uncompared

    total = of = 0
    for chapter in chosen:
        nb = notebook_of(chapter)
        cells, count = uncompared(nb), len(code_cells(nb))
        click.echo(f"{chapter.name}: {len(cells)} of {count} code cells")
        for cell in cells:
            click.echo(f"  {cell}")
        total, of = total + len(cells), of + count
    click.echo(f"{total} of {of} code cells are not compared.")
