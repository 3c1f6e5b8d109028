"""`course diagnose`: the clinic's cases that fit a saved error."""

import sys
from pathlib import Path

import click

from course_utils.notebook.catalog import Refused


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def diagnose(files: tuple[str, ...]) -> None:
    """Name the clinic's cases that fit an error you saved in FILE; - reads it from a pipe.

    Exit status: 0 every text was recognised, 1 one was not, 2 refused (nothing in it, unreadable, no text).
    """
    from course_utils.clinic import diagnosis

    known = [diagnosis.diagnose(text) for text in map(read, files)]
    for name, findings in zip(files, known, strict=True):
        click.echo(f"{name}:\n{findings}" if len(files) > 1 else str(findings))
    sys.exit(0 if all(known) else 1)


def read(name: str) -> str:
    """Return the text in a file, or on standard input for `-`. PowerShell writes UTF-16 where others write UTF-8.

    Raises `Refused` for a file that cannot be read, is empty or holds no text.
    """
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise Refused(
            f"{name}: {error.strerror}; give a file that holds the error's text, or - for a pipe"
        ) from None
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", errors="replace")
    if not text.strip():
        raise Refused(f"{name}: there is no text in it; save the whole error, from its first line to its last")
    if "\0" in text:
        raise Refused(f"{name}: that is no text; save the error as a text file")
    return text
