"""The `course` command."""

import json
import signal
import sys
from pathlib import Path

import click

from course_utils import PROJECT
from course_utils.commands.data import data
from course_utils.notebook.catalog import NOTEBOOKS, Refused

CHAPTERS = click.argument("chapters", nargs=-1, metavar="[CHAPTER]...")
NOTEBOOKS_OPTION = click.option(
    "--notebooks",
    type=click.Path(file_okay=False, path_type=Path),
    default=NOTEBOOKS,
    help="Folder with the chapters (the course's own unless given).",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def course() -> None:
    """The PyTorch course: run it, open it, look after it."""


@course.command()
@CHAPTERS
@click.option("--answers", type=click.Choice(["untouched", "solved"]), default="untouched", show_default=True)
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option("--device", type=click.Choice(["auto", "cpu", "cuda", "mps"]), default="auto", show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Chapters side by side.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=PROJECT / "build" / "run",
    help="Folder for the executed notebooks and the report (build/run unless given).",
)
@click.option("--resume", is_flag=True, help="Go on with what had not passed in the report there.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Another parameter (JSON, else text).")
@click.option("--limit", type=click.FloatRange(min=0.1), help="Seconds a cell may take (60; full: 1200).")
@NOTEBOOKS_OPTION
def run(chapters, answers, profile, device, jobs, out, resume, settings, limit, notebooks) -> None:
    """Execute chapters (all, unless named by number or slug) and report.

    Exit status: 0 all passed, 1 something failed, 2 refused, 130 interrupted.
    """
    from course_utils.runner import run as order

    status = order.carry_out(
        order.Order(
            names=chapters,
            answers=answers,
            profile=profile,
            device=device,
            jobs=jobs,
            out=out.resolve(),
            resume=resume,
            settings=settings,
            limit=limit or (60.0 if profile == "quick" else 1200.0),
            notebooks=notebooks,
        )
    )
    sys.exit(status)


@course.command()
@CHAPTERS
@click.option("--renew", is_flag=True, help="Also replace outputs that depend on the machine.")
@NOTEBOOKS_OPTION
def refresh(chapters, renew, notebooks) -> None:
    """Execute chapters untouched and store their outputs in the notebooks."""
    from course_utils.commands import refresh as author

    sys.exit(author.refresh(chapters, notebooks=notebooks, out=PROJECT / "build" / "refresh", renew=renew))


@course.command(context_settings={"ignore_unknown_options": True})
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening a browser.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- JUPYTER_OPTION...]")
def lab(no_browser, arguments) -> None:
    """Open JupyterLab on the first chapter."""
    from course_utils.commands import lab as jupyter

    sys.exit(jupyter.serve(no_browser=no_browser, arguments=arguments))


@course.command()
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def doctor(as_json) -> None:
    """Examine this machine; exit status 1 on a problem."""
    from course_utils.doctor.findings import examine

    findings = examine()
    if as_json:
        click.echo(json.dumps([finding._asdict() for finding in findings], indent=2))
    else:
        for finding in findings:
            click.echo(f"{finding.state:8} {finding.name}: {finding.found}")
            if finding.state != "ok" and finding.fix:
                click.echo(f"         {finding.fix}")
    sys.exit(any(finding.state == "problem" for finding in findings))


@course.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def diagnose(files) -> None:
    """Name the clinic's cases that fit an error you saved in FILE; - reads it from a pipe.

    Exit status: 0 every text was recognised, 1 one was not, 2 refused (nothing in it, unreadable, no text).
    """
    from course_utils.clinic import diagnosis

    known = [diagnosis.diagnose(text) for text in map(_saved, files)]
    for name, findings in zip(files, known, strict=True):
        click.echo(f"{name}:\n{findings}" if len(files) > 1 else str(findings))
    sys.exit(0 if all(known) else 1)


def _saved(name: str) -> str:
    """The text in a file, or on standard input for `-`. PowerShell writes UTF-16 where others write UTF-8."""
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


course.add_command(data)


def main() -> None:
    """Entry point; a refusal is one sentence and exit status 2, a signal to stop is like Ctrl-C."""
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
