"""The `course` command: its commands gathered, and what an error ends with."""

import signal
import sys

import click

from course_utils.commands.data import data
from course_utils.commands.diagnose import diagnose
from course_utils.commands.doctor import doctor
from course_utils.commands.lab import lab
from course_utils.commands.progress import progress
from course_utils.commands.refresh import refresh
from course_utils.commands.run import run
from course_utils.commands.update import reset, update
from course_utils.notebook.catalog import Refused


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def course() -> None:
    """Run the PyTorch course, open it, look after it."""


for command in (lab, update, reset, progress, run, refresh, doctor, diagnose, data):
    course.add_command(command)


def main() -> None:
    """Run the command line; a refusal is one sentence and exit status 2, a signal to stop is like Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a console without the character must not end a run
    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):  # a shell's background job starts with SIGINT ignored
        if hasattr(signal, name):  # SIGBREAK is Windows' own
            signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        course()
    except Refused as error:
        click.echo(f"Refused: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
