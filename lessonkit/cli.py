"""The `course` command: find its commands by name, and turn errors into messages and exit statuses."""

import signal
import sys
from importlib import import_module
from importlib.metadata import entry_points

import click

from lessonkit.system import course as settings
from lessonkit.system import disk, fast_imports, interrupts
from lessonkit.system.errors import Refused

fast_imports.defer_grammar()  # here, not in `main`: processes that a command spawns import this module too

# The engine's own commands, in the order of `course --help`. Installed packages register others under the entry
# point `lessonkit.commands`: the instructor's commands, and those of the course itself.
OWN = {
    "lab": "lab:lab",
    "update": "update:update",
    "reset": "update:reset",
    "progress": "progress:progress",
    "join": "join:join",
    "leave": "join:leave",
    "run": "run:run",
    "refresh": "refresh:refresh",
    "check": "check:check",
    "doctor": "doctor:doctor",
    "data": "data:data",
    "diagnose": "diagnose:diagnose",
}


class Commands(click.Group):
    """A group that imports a command's module when the command is asked for, and no other."""

    def list_commands(self, ctx: click.Context | None = None) -> list[str]:
        """Return the names of all commands: the engine's own, then the registered ones by name."""
        return [*OWN, *sorted(set(_registered()) - set(OWN))]

    def get_command(self, ctx: click.Context | None, name: str) -> click.Command | None:
        """Return a command; None where there is none of that name."""
        if name in OWN:
            module, _, attribute = OWN[name].partition(":")
            return getattr(import_module(f"lessonkit.commands.{module}"), attribute)
        registered = _registered()
        if name not in registered:
            return None
        try:
            return registered[name].load()
        except ModuleNotFoundError as error:
            raise click.ClickException(
                f"`course {name}` needs the package {error.name}, which is not installed: "
                f"pip install '{settings.course().distribution or 'lessonkit'}[teach]' brings what instructors use."
            ) from error


def _registered():
    return {one.name: one for one in entry_points(group="lessonkit.commands")}


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="course-utils", prog_name="course")
def course() -> None:
    """Open the course, run it, check it, and teach with it."""


def main() -> None:
    """Run the command line; a refusal is one sentence and exit status 2, a signal to stop is like Ctrl-C.

    So is a full disk: every file written before is complete, and the same command continues from there.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a console without the character must not end a run
    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):  # a shell's background job starts with SIGINT ignored
        if hasattr(signal, name):  # SIGBREAK is Windows' own
            signal.signal(getattr(signal, name), signal.default_int_handler)
    settings.make_importable()
    try:
        sys.exit(course(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:  # a command that has more to say of its interrupt says it itself
        click.echo("Interrupted. What was there is as it was, and the same command can be said again.", err=True)
        sys.exit(interrupts.CODE)
    except (Refused, settings.CourseError) as error:
        click.echo(f"Refused: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        if not disk.is_full(error):
            raise
        click.echo(f"Refused: {disk.explain(error)}. What was there is as it was.", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
