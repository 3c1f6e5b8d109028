"""`course join`, `course note` and `course leave`: what an instructor's page is told, and the end of it."""

import click


@click.command()
@click.argument("address", required=False)
@click.option(
    "--name",
    "nickname",
    help='The name that the page shows, or "" for none. You are asked for it unless you pass it.',
)
def join(address: str | None, nickname: str | None) -> None:
    """Report your checks to an instructor's page.

    You are asked before anything is sent. Without ADDRESS, the command says which page you have joined.
    """
    from lessonkit.desk.folder import work_folder
    from lessonkit.reporting import membership
    from lessonkit.reporting.join import enter

    work = work_folder()
    if address:
        enter(address, nickname, ask=_ask, work=work, folder=work)
    elif now := membership.read(work):
        shown = f'as "{now.nickname}"' if now.nickname else "without a name"
        click.echo(f"You have joined {now.page} {shown}. `course leave` ends it.")
    else:
        click.echo("You have not joined a classroom, so nothing is reported.")


def _ask(words):
    return click.prompt(words.rstrip(), default="", show_default=False, prompt_suffix=" ")


@click.command()
@click.argument("what", type=click.Choice(["help", "done", "off"]))
def note(what: str) -> None:
    """Put a note on the page that you have joined.

    `help` calls for help, `done` says that you are done, and `off` removes the note.
    """
    from lessonkit.desk.folder import work_folder
    from lessonkit.reporting.join import noted

    click.echo(noted("" if what == "off" else what, work_folder()))


@click.command()
def leave() -> None:
    """Stop reporting to an instructor's page."""
    from lessonkit.reporting.join import left

    click.echo(left())
