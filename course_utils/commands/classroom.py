"""`course classroom`, `course join` and `course leave`: a page of the room, live, for whoever says yes."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from course_utils.commands import options
from course_utils.notebook.catalog import find, select

if TYPE_CHECKING:
    from course_utils.classroom.server import Classroom


@click.command()
@click.option("--address", default="127.0.0.1", show_default=True, help="Address of this machine to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port; a free one unless given.")
@click.option("--chapters", default="", metavar="00,01", help="Numbers or slugs; all unless given.")
@click.option(
    "--keep", type=click.Path(dir_okay=False, path_type=Path), help="Keep the room in FILE, and go on with it."
)
@click.option(
    "--stuck",
    type=click.FloatRange(0, 600),
    default=10,
    show_default=True,
    help="Minutes until somebody is marked.",
)
@options.notebooks
def classroom(address: str, port: int, chapters: str, keep: Path | None, stuck: float, notebooks: Path) -> None:
    """Show the room, live: who tried which exercise, who is stuck, which mistake is common.

    Learners report to it after they said yes; nothing is kept when it is closed, unless --keep says so.
    """
    from course_utils.classroom import server  # imports tornado, for which `--help` must not wait
    from course_utils.classroom.questions import questions
    from course_utils.classroom.room import Room
    from course_utils.progress.chapters import contents

    names = tuple(name.strip() for name in chapters.split(",") if name.strip())
    chosen = {one.name for one in select(find(notebooks), names)}
    room = Room(questions(one for one in contents(notebooks) if one.chapter.name in chosen))
    opened = server.opened(room, address=address, port=port, keep=keep, stuck=60 * stuck)
    welcome(opened)
    try:
        asyncio.run(server.serve(opened, tell=lambda sentence: click.echo(sentence, err=True)))
    except KeyboardInterrupt:
        click.echo(f"Closed. The room is kept in {keep}." if keep else "Closed. Nothing was kept.")


def welcome(opened: "Classroom") -> None:
    """Print both addresses, and who can reach them."""
    from course_utils.classroom.names import is_loopback
    from course_utils.classroom.server import network_addresses

    click.echo(f"Your page (the token in it is yours alone):\n  {opened.instructors_address}")
    click.echo(f"Learners run this in a cell, or `course join {opened.join_address}`:\n  {opened.join_line}")
    if is_loopback(opened.host):
        others = network_addresses()
        how = f" `--address {others[0]}` opens it to your network." if others else ""
        click.echo(f"Only this machine reaches it.{how}")
    else:
        click.echo("Your network reaches it, unencrypted: whoever has the learners' line may report, nobody else.")
    if opened.room.learners:
        click.echo(f"Goes on with {len(opened.room.learners)} learners from {opened.keep}.")
    click.echo("Ctrl-C closes it.")


@click.command()
@click.argument("address", required=False)
@click.option("--name", "nickname", help='What the page shows; asked for unless given, "" for none.')
def join(address: str | None, nickname: str | None) -> None:
    """Tell an instructor's page of your checks, after you said yes; without ADDRESS: say what you have joined."""
    from course_utils.classroom import membership
    from course_utils.classroom.join import enter
    from course_utils.desk.folder import work_folder

    work = work_folder()
    if address:
        enter(address, nickname, ask=_ask, work=work, folder=work)
    elif now := membership.read(work):
        shown = f'as "{now.nickname}"' if now.nickname else "without a name"
        click.echo(f"You have joined {now.page} {shown}. `course leave` ends it.")
    else:
        click.echo("You have joined no classroom: nothing is told.")


def _ask(words):
    return click.prompt(words.rstrip(), default="", show_default=False, prompt_suffix=" ")


@click.command()
def leave() -> None:
    """Tell an instructor's page nothing any more."""
    from course_utils.classroom.join import left

    click.echo(left())
