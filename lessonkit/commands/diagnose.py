"""`course diagnose`: the clinic's cases that fit a saved error."""

import sys
from pathlib import Path

import click

from lessonkit.notebook.catalog import Refused
from lessonkit.system.plain_file import open_plain
from lessonkit.system.private import discreet

_MOST = 4_000_000  # bytes; more than diagnosis.MOST_CHARACTERS take


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def diagnose(files: tuple[str, ...]) -> None:
    """Name the clinic's cases that fit an error you saved in FILE; - reads it from a pipe.

    Exit status: 0 every text was recognised, 1 one was not, 2 refused (nothing in it, unreadable, no text).
    """
    from course_utils.clinic import diagnosis

    known = [diagnosis.diagnose(text) for text in map(read, files)]
    for name, findings in zip(files, known, strict=True):
        said = discreet(str(findings))  # it is sent on: a path in it may be somebody's home
        click.echo(f"{name}:\n{said}" if len(files) > 1 else said)
    sys.exit(0 if all(known) else 1)


def read(name: str) -> str:
    """Return the text in a file, or on standard input for `-`. PowerShell writes UTF-16 where others write UTF-8.

    Raises `Refused` for a file that cannot be read, is empty or holds no text.
    """
    try:
        data = sys.stdin.buffer.read() if name == "-" else _end(Path(name))
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise Refused(
            f"{name}: {getattr(error, 'strerror', error)}; give a file that holds the error's text, or - for a pipe"
        ) from None
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", errors="replace")
    if not text.strip():
        raise Refused(f"{name}: there is no text in it; save the whole error, from its first line to its last")
    if "\0" in text:
        raise Refused(f"{name}: that is no text; save the error as a text file")
    return text


def _end(path):
    """Return the end of a file, which is all that is looked at; of UTF-16 with the mark that it begins with."""
    with open_plain(path) as file:
        mark = file.read(2)
        size = file.seek(0, 2)
        start = max(0, size - _MOST)
        file.seek(start - start % 2)
        data = file.read(_MOST + 1)
    return mark + data if start and mark in (b"\xff\xfe", b"\xfe\xff") else data
