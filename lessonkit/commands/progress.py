"""`course progress`: show what the learner has solved, chapter by chapter, and what comes next."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lessonkit.system.errors import Refused

if TYPE_CHECKING:
    from rich.table import Table

    from lessonkit.progress.record import Standing
    from lessonkit.progress.summary import Summary


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON, exercise by exercise.")
@click.option("--forget", is_flag=True, help="Remove all notes; a dated copy is kept.")
@click.option("--yes", is_flag=True, help="With --forget: do not ask first.")
def progress(as_json: bool, forget: bool, yes: bool) -> None:
    """Show what is solved, what comes next, and the minutes left."""
    from lessonkit.desk.folder import work_folder
    from lessonkit.progress.contents import contents
    from lessonkit.progress.database import NotKept
    from lessonkit.progress.listener import switched_off
    from lessonkit.progress.record import FILE, read
    from lessonkit.progress.summary import summarise

    path = work_folder() / FILE
    try:
        standings = read(path)
        if forget:
            remove(path, standings, yes=yes)
            return
    except NotKept as error:
        raise Refused(str(error).rstrip(".")) from None
    summary = summarise(standings, contents())
    if switched_off() and not as_json:
        click.echo("COURSE_PROGRESS or CI is set: what you solve now is not noted.")
    if as_json:
        click.echo(json.dumps(as_data(summary, standings), indent=2))
    elif standings:
        show(summary, path)
    else:
        click.echo(f"Nothing is noted in {path} yet: `course lab` opens the first chapter.")


def remove(path: Path, standings: list["Standing"], *, yes: bool) -> None:
    """Ask, remove what was noted, and say where the copy is; rewrite the start page. Raises `NotKept`."""
    from lessonkit.progress import record, start_page

    if not standings:
        click.echo(f"Nothing is noted in {path}, so there is nothing to forget.")
    elif yes or click.confirm(f"Forget the notes on {len(standings)} exercises? Your answers stay.", err=True):
        copy = record.forget(path)
        try:
            start_page.write(path.parent.parent)
        except OSError as error:
            click.echo(f"{start_page.NAME} was not updated: {error.strerror}.", err=True)
        click.echo(f"The notes are removed; {copy} is a copy of them.")


def show(summary: "Summary", path: Path) -> None:
    """Print the table, what comes next, and how much is left."""
    from rich.console import Console

    from lessonkit.notebook.headings import plain
    from lessonkit.progress.wording import finished, hours, title

    console = Console(highlight=False)
    console.print(table(summary))
    if any(said := finished(summary)):
        console.print(plain(" ".join(said)), markup=False)
    if summary.next:
        chapter, task = summary.next
        where = f"{'Further of ' if task.further else ''}{chapter.contents.title}"
        console.print(plain(f"Next: {title(task)}, in {where}."), markup=False)
    core, further = (summary.minutes_left(further=further) for further in (False, True))
    console.print(f"Left: {hours(core)} of core, {hours(further)} of Further.")
    console.print(f"Noted in {path}", soft_wrap=True)


def table(summary: "Summary") -> "Table":
    """Return a row for each chapter: done of all, next exercise, minutes left."""
    from rich.table import Table
    from rich.text import Text

    from lessonkit.notebook.headings import plain
    from lessonkit.progress.wording import left, title

    rows = Table("chapter", "core", "further", "next exercise", "minutes left\ncore / all", show_lines=True)
    for one in summary.chapters:
        following = next(iter([*one.open(further=False), *one.open(further=True)]), None)
        done = ("{} of {}".format(*one.done(further=further)) for further in (False, True))
        named = [Text(plain(text)) for text in (one.contents.title, title(following) if following else "✓")]
        rows.add_row(named[0], *done, named[1], left(one))
    return rows


def as_data(summary: "Summary", standings: list["Standing"]) -> dict:
    """Return everything as plain data: chapters with their exercises, what comes next, minutes left."""
    noted = {(one.chapter, one.exercise): asdict(one) for one in standings}
    chapters = []
    for one in summary.chapters:
        chapter = one.contents.chapter
        core, further = (one.minutes_left(further=further) for further in (False, True))
        exercises = [
            {"name": task.name, "title": task.title, "further": task.further}
            | seen(noted.get((chapter.slug, task.name)))
            for task in one.contents.tasks
        ]
        left = {"core": core, "further": further}
        row = {"chapter": chapter.name, "title": one.contents.title, "minutes_left": left, "exercises": exercises}
        chapters.append(row)
    following = summary.next
    return {
        "chapters": chapters,
        "next": following and {"chapter": following[0].contents.chapter.name, "exercise": following[1].name},
    }


def seen(standing: dict | None) -> dict:
    """Return what is noted of an exercise, without its name; one that was never checked has not passed."""
    if standing is None:
        return {"passed": False, "tries": 0}
    return {name: value for name, value in standing.items() if name not in ("chapter", "exercise")}
