"""The `course` command: its commands gathered, and what an error ends with."""

import signal
import sys

import click

from course_utils.commands.bundle import bundle
from course_utils.commands.classroom import classroom, join, leave
from course_utils.commands.data import data
from course_utils.commands.diagnose import diagnose
from course_utils.commands.doctor import doctor
from course_utils.commands.grade import grade
from course_utils.commands.lab import lab
from course_utils.commands.nbgrader import nbgrader
from course_utils.commands.progress import progress
from course_utils.commands.refresh import refresh
from course_utils.commands.room import collect, release
from course_utils.commands.run import run
from course_utils.commands.slides import slides
from course_utils.commands.update import reset, update
from course_utils.notebook.catalog import Refused
from course_utils.system import disk, grammar, interrupts

grammar.compile_when_used()  # here, not in `main`: processes that a command spawns import this module too


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="course-utils", prog_name="course")
def course() -> None:
    """Run the PyTorch course, open it, look after it."""


_LEARNERS = (lab, update, reset, progress, join, leave)
_ROOM = (release, collect, grade, nbgrader, slides, bundle, classroom)
for command in (*_LEARNERS, run, refresh, doctor, diagnose, data, *_ROOM):
    course.add_command(command)


def main() -> None:
    """Run the command line; a refusal is one sentence and exit status 2, a signal to stop is like Ctrl-C.

    So is a disk that is full: whatever was written before is whole, and the same command goes on from there.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a console without the character must not end a run
    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):  # a shell's background job starts with SIGINT ignored
        if hasattr(signal, name):  # SIGBREAK is Windows' own
            signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        sys.exit(course(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:  # a command that has more to say of its interrupt says it itself
        click.echo("Interrupted. What was there is as it was, and the same command can be said again.", err=True)
        sys.exit(interrupts.CODE)
    except Refused as error:
        click.echo(f"Refused: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        if not disk.is_full(error):
            raise
        click.echo(f"Refused: {disk.said(error)}. What was there is as it was.", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
