"""`course refresh`, for authors: execute chapters and store their outputs in the notebooks."""

import sys
from pathlib import Path

import click

from lessonkit.commands import options
from lessonkit.notebook.catalog import NOTEBOOKS, Chapter, find, select
from lessonkit.system.errors import Refused
from lessonkit.system.place import HOME, INSTALLED


@click.command()
@options.chapters
@click.option("--renew", is_flag=True, help="Also replace outputs that depend on the machine.")
@options.notebooks
def refresh(chapters: tuple[str, ...], renew: bool, notebooks: Path) -> None:
    """Execute chapters as they are and store their outputs in them."""
    if INSTALLED and notebooks == NOTEBOOKS:
        raise Refused("the course was installed as a package; notebooks are refreshed in a clone")
    sys.exit(refresh_chapters(chapters, notebooks=notebooks, out=HOME / "build" / "refresh", renew=renew))


def refresh_chapters(names: tuple[str, ...], *, notebooks: Path, out: Path, renew: bool = False) -> int:
    """Execute the chapters untouched and write their outputs; return the exit status, 0 when all were written.

    A chapter that fails, or has an output that must not be stored, is left as it was; the others are written.
    """
    from lessonkit.runner.request import RunRequest
    from lessonkit.runner.run import FAILED, INTERRUPTED, carry_out, passed_in

    chapters = select(find(notebooks), names)
    wanted = tuple(chapter.name for chapter in chapters)
    before = {chapter.name: chapter.path.read_bytes() for chapter in chapters}
    status = carry_out(RunRequest(names=wanted, out=out.resolve(), notebooks=notebooks))
    if status == INTERRUPTED:
        return status
    passed = passed_in(out)
    for chapter in chapters:
        if chapter.name not in passed:
            click.echo(f"{chapter.name}: not written, it did not pass")
        elif chapter.path.read_bytes() != before[chapter.name]:
            status = FAILED
            click.echo(f"{chapter.name}: not written, it was edited while it ran; refresh it again")
        elif not write_outputs(chapter, out / f"{chapter.name}.ipynb", renew=renew):
            status = FAILED
    return status


def write_outputs(chapter: Chapter, executed: Path, *, renew: bool = False) -> bool:
    """Write the outputs of the notebook `executed` into the chapter and say so; return whether all were fit."""
    from lessonkit.notebook.outputs import Unfit, store

    try:
        changed = store(chapter, executed, renew=renew)
    except Unfit as error:
        click.echo(f"{chapter.name}: not written, {error}")
        return False
    click.echo(f"{chapter.name}: written, outputs of {changed} cells changed")
    return True
