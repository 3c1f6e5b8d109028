"""`course classroom`: a page of the room, live, of those learners who said yes."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lessonkit.commands import options
from lessonkit.notebook.catalog import find, select

if TYPE_CHECKING:
    from lessonkit.teach.classroom.server import Classroom


@click.command()
@click.option(
    "--address", default="127.0.0.1", show_default=True, help="Address of this machine at which the page listens."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port. The default is 8700, or a free port if that is in use."
)
@options.only_chapters()
@click.option(
    "--keep", type=click.Path(dir_okay=False, path_type=Path), help="Keep the room in FILE, and continue from it."
)
@click.option(
    "--stuck",
    type=click.FloatRange(0, 600),
    default=10,
    show_default=True,
    help="Minutes until a learner is shown as stuck.",
)
@click.option(
    "--released",
    type=click.Path(exists=True, path_type=Path),
    help="Folder that `course release` wrote. The page shows only the exercises that were handed out.",
)
@options.notebooks
def classroom(
    address: str,
    port: int | None,
    chapters: tuple[str, ...],
    keep: Path | None,
    stuck: float,
    released: Path | None,
    notebooks: Path,
) -> None:
    """Open a live page of a class at work on the exercises.

    The page shows who tried which exercise, who is stuck, and which mistake is common. Learners report to it after
    they have agreed. When the page is closed nothing is kept, unless --keep says so.
    """
    from lessonkit.progress.contents import contents
    from lessonkit.teach.classroom import server  # imports tornado, for which `--help` must not wait
    from lessonkit.teach.classroom.questions import handed_out, questions
    from lessonkit.teach.classroom.state import ClassroomState
    from lessonkit.teach.room.tally import read_manifest

    chosen = {one.name for one in select(find(notebooks), chapters)}
    asked = questions(one for one in contents(notebooks) if one.chapter.name in chosen)
    room = ClassroomState(handed_out(asked, read_manifest(released)) if released else asked)
    opened = server.opened(room, address=address, port=port, keep=keep, stuck=60 * stuck)
    welcome(opened)
    try:
        asyncio.run(server.serve(opened, tell=lambda sentence: click.echo(sentence, err=True)))
    except KeyboardInterrupt:
        click.echo(f"Closed. The room is kept in {keep}." if keep else "Closed. Nothing was kept.")


def welcome(opened: "Classroom") -> None:
    """Print both addresses, and who can reach them."""
    from lessonkit.reporting.client import is_loopback
    from lessonkit.teach.classroom.server import network_addresses

    click.echo(f"Your page (keep its token to yourself):\n  {opened.instructors_address}")
    click.echo(
        f"Learners type `course join {opened.short_address}` in a terminal, or open that address in a browser."
    )
    click.echo(f"In a cell it is:\n  {opened.join_line}")
    if is_loopback(opened.host):
        others = network_addresses()
        how = f" `--address {others[0]}` opens it to your network." if others else ""
        click.echo(f"Only this machine can reach it.{how}")
    else:
        click.echo(
            "Machines in your network can reach it, without encryption. Only somebody who has the learners' "
            "line can report."
        )
    if opened.room.learners:
        click.echo(f"The room continues with {len(opened.room.learners)} learners from {opened.keep}.")
    click.echo("Ctrl-C closes it.")
