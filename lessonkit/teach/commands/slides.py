"""`course slides`: a chapter as slides for a room."""

from pathlib import Path

import click

from lessonkit.commands import options
from lessonkit.notebook.catalog import find, repaired, select
from lessonkit.system.place import HOME

_FOLDER = HOME / "build" / "slides"


@click.command()
@click.argument("chapter")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write. The default is build/slides/NN_name.html.",
)
@click.option("--further", is_flag=True, help="Take the whole chapter, not only its core.")
@click.option("--solved", is_flag=True, help="Put our answers into the speaker's notes.")
@options.notebooks
def slides(chapter: str, out: Path | None, further: bool, solved: bool, notebooks: Path) -> None:
    """Write CHAPTER as slides with notes.

    CHAPTER is a number or a slug. The slides are one HTML file that needs no network. What a slide
    shows is what the notebook has stored: nothing is executed.
    """
    from lessonkit.teach.slides.deck import write  # imports nbformat, for which `course --help` must not wait

    [chosen] = select(find(notebooks), (chapter,))
    done = write(chosen, out or _FOLDER / f"{chosen.name}.html", further=further, solved=solved)
    for sentence in repaired([chosen]):
        click.echo(sentence, err=True)
    size = done.path.stat().st_size / 1e6
    click.echo(f"{done.slides} slides for {done.minutes} minutes ({size:.1f} MB): {done.path}")
    if done.bare:
        click.echo(f"{done.bare} exercises have no hints stored, so none are shown: `course refresh` stores them.")
    click.echo("Open it in a browser: S shows notes and clock, ? all keys; ?print-pdf behind its address prints.")
