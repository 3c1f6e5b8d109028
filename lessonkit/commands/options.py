"""Options and arguments that more than one command takes."""

from collections.abc import Callable
from pathlib import Path

import click

from lessonkit.notebook.catalog import NOTEBOOKS

chapters = click.argument("chapters", nargs=-1, metavar="[CHAPTER]...")
notebooks = click.option(
    "--notebooks",
    type=click.Path(file_okay=False, path_type=Path),
    default=NOTEBOOKS,
    help="Folder with the chapters. The default is the course's own.",
)


def _names(_context: click.Context, _option: click.Parameter, text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def only_chapters(words: str = "Numbers or slugs. The default is all chapters.") -> Callable:
    """Return the option `--chapters`, names between commas, for commands that take no chapters as arguments.

    The command gets a tuple, as `select` wants it. `words`: what `--help` says.
    """
    return click.option("--chapters", default="", metavar="00,01", callback=_names, help=words)


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
