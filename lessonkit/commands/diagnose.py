"""`course diagnose`: name the clinic's cases that fit a saved error message."""

import sys

import click

from lessonkit.system.errors import Refused
from lessonkit.system.redact import discreet


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def diagnose(files: tuple[str, ...]) -> None:
    """Name the likeliest causes of an error that you saved in FILE.

    If FILE is -, the error is read from a pipe. If no case fits, the command says what to try next.

    Exit status: 0 every text was recognised, 1 one was not, 2 refused (the file is empty, unreadable or no text).
    """
    from torch_clinic import diagnosis, reading, unknown  # not for `--help`, which imports this module

    try:
        texts = [reading.read(name) for name in files]
    except reading.Unreadable as error:
        raise Refused(str(error)) from None
    known = [diagnosis.diagnose(text) for text in texts]
    for name, text, findings in zip(files, texts, known, strict=True):
        said = "\n\n".join(filter(None, [str(findings), unknown.what_next(text, findings)]))
        said = discreet(said)  # it is sent on: a path in it may be somebody's home
        click.echo(f"{name}:\n{said}" if len(files) > 1 else said)
    sys.exit(0 if all(known) else 1)
