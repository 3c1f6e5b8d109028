"""Options and arguments that more than one command takes."""

from pathlib import Path

import click

from lessonkit.notebook.catalog import NOTEBOOKS

chapters = click.argument("chapters", nargs=-1, metavar="[CHAPTER]...")
notebooks = click.option(
    "--notebooks",
    type=click.Path(file_okay=False, path_type=Path),
    default=NOTEBOOKS,
    help="Folder with the chapters (the course's own unless given).",
)


class Jobs(click.ParamType):
    """A number from 1 on; None for the word `auto`, as many as fit the machine."""

    name = "auto|number"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        """Return the number, or None for `auto`; anything else is refused."""
        if value is None or value == "auto":
            return None
        if str(value).isdecimal() and int(value) >= 1:
            return int(value)
        return self.fail(f"{value!r} is neither `auto` nor a number from 1 on", param, ctx)
