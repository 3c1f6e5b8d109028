"""What more than one command takes."""

from pathlib import Path

import click

from course_utils.notebook.catalog import NOTEBOOKS

chapters = click.argument("chapters", nargs=-1, metavar="[CHAPTER]...")
notebooks = click.option(
    "--notebooks",
    type=click.Path(file_okay=False, path_type=Path),
    default=NOTEBOOKS,
    help="Folder with the chapters (the course's own unless given).",
)
