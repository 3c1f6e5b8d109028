"""`course data`: list the course's data sets, fetch one, and verify their files."""

import sys
from collections.abc import Callable
from types import ModuleType

import click

from lessonkit.system.course import hook
from lessonkit.system.errors import Refused


def ours() -> ModuleType:
    """Return what the course names for its data sets; importing it may take seconds. Raises `Refused` for none."""
    datasets = hook("data")
    if datasets is None:
        raise Refused("this course has no data sets: its course.toml names no hook `data`")
    return datasets


@click.group()
def data() -> None:
    """List, fetch and verify the course's data sets."""


@data.command("list")
def list_data() -> None:
    """List the data sets, and where each would be read from."""
    datasets = ours()
    for name in datasets.names():
        try:
            source, sentence = datasets.available(name)
        except datasets.DataError as error:
            source, sentence = "damaged", str(error)
        click.echo(f"{name}: {source}. {sentence}")


@data.command()
@click.argument("name")
def get(name: str) -> None:
    """Download the data set NAME."""
    datasets = ours()
    known(name)
    sys.exit(not print_sentences(name, datasets.get))


@data.command()
@click.argument("name", required=False)
def verify(name: str | None) -> None:
    """Verify the files of a data set.

    Without NAME, the files of every data set that is here are verified.

    Exit status: 0 all files are intact, 1 a file is damaged or NAME is not here.
    """
    datasets = ours()
    if name:
        known(name)
    whole = True
    for one in [name] if name else datasets.names():
        if not name and is_absent(one):
            click.echo(f"{one}: not here, so there is nothing to verify")
        else:
            whole &= print_sentences(one, datasets.verify)
    sys.exit(not whole)


def known(name: str) -> None:
    """Raise `Refused` with the list of what exists for a name that no data set has."""
    datasets = ours()
    if name not in datasets.names():
        raise Refused(f"no data set called {name}; there are: {', '.join(datasets.names())}")


def is_absent(name: str) -> bool:
    """Return whether nothing of a data set is here, not even damaged files."""
    datasets = ours()
    try:
        return datasets.available(name)[0] == "none"
    except datasets.DataError:
        return False


def print_sentences(name: str, action: Callable[[str], list[str]]) -> bool:
    """Print the sentences that `action(name)` returns, or its `DataError`; return whether it went well."""
    datasets = ours()
    try:
        sentences = action(name)
    except datasets.DataError as error:
        click.echo(f"{name}: {error}", err=True)
        return False
    for sentence in sentences:
        click.echo(f"{name}: {sentence}")
    return True
