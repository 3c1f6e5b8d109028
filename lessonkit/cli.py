"""The `course` command: find its commands by name, and turn errors into messages and exit statuses."""

import signal
import sys
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

import click

from lessonkit.system import course as settings
from lessonkit.system import disk, fast_imports, interrupts
from lessonkit.system.errors import Refused
from lessonkit.system.versions import versions

fast_imports.defer_grammar()  # here, not in `main`: processes that a command spawns import this module too

# The engine's own commands, in the order of `course --help`. Installed packages register others under the entry
# point `lessonkit.commands`: the instructor's commands, and those of the course itself.
OWN = {
    "lab": "lab:lab",
    "update": "update:update",
    "reset": "update:reset",
    "restore": "restore:restore",
    "progress": "progress:progress",
    "join": "join:join",
    "note": "join:note",
    "leave": "join:leave",
    "run": "run:run",
    "refresh": "refresh:refresh",
    "check": "check:check",
    "doctor": "doctor:doctor",
    "data": "data:data",
    "diagnose": "diagnose:diagnose",
}
# `course --help` lists the commands by who asks for them. Of the engine's own, those below are for authors and all
# others for learners; a registered one is for instructors if its module is in lessonkit.teach.
FOR_AUTHORS = ("run", "refresh", "check")
LEARN, TEACH, MAINTAIN, OTHERS = "Learn", "Teach", "Write and maintain the course", "From other packages"

FIRST_WORDS = """\
course lab         opens the chapters in JupyterLab, in your browser.
course progress    says which exercises you have passed and which one is next.
course diagnose FILE
                   names the likeliest causes of an error that you saved in FILE.
course doctor      says whether this machine is ready, and how to fix what is not.

`course --help` lists all commands, and `course lab --help` explains one of them."""


class Commands(click.Group):
    """A group that imports a command's module when the command is asked for, and no other."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; without any word, say what a learner most often wants."""
        if not args and not ctx.resilient_parsing:
            click.echo(FIRST_WORDS)
            ctx.exit()
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in groups, each with its whole first sentence."""
        names = self.list_commands(ctx)
        widest = max(map(len, names))
        for title in (LEARN, TEACH, MAINTAIN, OTHERS):
            loaded = [(name, self.get_command(ctx, name)) for name in names if group_of(name) == title]
            rows = [
                (name.ljust(widest), command.get_short_help_str(limit=1000))
                for name, command in loaded
                if not command.hidden
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

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
        except settings.CourseError:  # no command can be used then
            raise
        except Exception as error:  # noqa: BLE001 - any package may register one, and importing it may do anything
            return _unusable(registered[name], error)


def group_of(name: str) -> str:
    """Return the title under which `course --help` lists a command."""
    if name in OWN:
        return MAINTAIN if name in FOR_AUTHORS else LEARN
    module = _registered()[name].module
    return TEACH if f"{module}.".startswith("lessonkit.teach.") else OTHERS


@cache
def _registered():
    """Return the registered commands by name; to find them, the metadata of every installed package is read."""
    return {one.name: one for one in entry_points(group="lessonkit.commands")}


def _unusable(registered, error):
    """Return a command that says why there is none, so that help still lists all others."""
    named = registered.module.partition(".")[0]
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if missing and missing.partition(".")[0] != named:
        why = (
            f"`course {registered.name}` needs the package {missing}, which is not installed: "
            f"pip install '{settings.course().distribution or 'lessonkit'}[teach]' brings what instructors use."
        )
    else:
        package = registered.dist.name if registered.dist else named
        why = (
            f"`course {registered.name}` cannot be loaded from {registered.value}: "
            f"{type(error).__name__}: {error}. If it was updated or moved, install the package {package} again."
        )

    def refuse(**_):
        raise click.ClickException(why) from error

    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    return click.Command(
        registered.name,
        callback=refuse,
        short_help="It cannot be loaded; run it to read why.",
        context_settings=anything,
        add_help_option=False,
    )


def _say_version(ctx, _, asked):
    if asked:
        ours = settings.course().distribution
        click.echo(f"course, version {versions(ours).get(ours, 'unknown: it is not installed as a package')}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_say_version,
    help="Show the version and exit.",
)
def course() -> None:
    """Open the course, run it, check it, and teach with it."""


def main() -> None:
    """Run the command line; a refusal is one sentence and exit status 2, a signal to stop is like Ctrl-C.

    So is a full disk: every file written before is complete, and the same command continues from there.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a console without the character must not end a run
    for name in interrupts.NAMES:  # a shell's background job starts with SIGINT ignored
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    settings.make_importable()
    try:
        sys.exit(course(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:  # a command that has more to say of its interrupt says it itself
        click.echo("Interrupted. Existing files are unchanged, and you can run the same command again.", err=True)
        sys.exit(interrupts.CODE)
    except (Refused, settings.CourseError) as error:
        click.echo(f"Refused: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        if not disk.is_full(error):
            raise
        click.echo(f"Refused: {disk.explain(error)}. Existing files are unchanged.", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
