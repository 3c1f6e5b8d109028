"""`course doctor`: examine this machine, and say how to fix each problem."""

import json
import sys

import click

from lessonkit.commands import options
from lessonkit.notebook.catalog import find, select
from lessonkit.system.errors import Refused
from lessonkit.system.redact import without_secrets


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
@click.option(
    "--mail", is_flag=True, help="Print a few lines to send to your instructor, without names, paths or secrets."
)
@options.only_chapters("With --mail: the chapters to be taught. The default is all.")
def doctor(as_json: bool, mail: bool, chapters: tuple[str, ...]) -> None:
    """Examine this machine, and say whether it is ready.

    Each line begins with `ok`, `warning` or `problem`, and the last one is a verdict.

    Exit status: 0 no problem, 1 a problem, 2 refused.
    """
    if mail and as_json:
        raise Refused("--mail and --json are two forms of the same report; choose one of them")
    if chapters and not mail:
        raise Refused(
            "--chapters only has an effect with --mail, which gives the minutes of those chapters; add --mail"
        )
    if mail:
        sys.exit(not answer(chapters))
    from lessonkit.doctor.facts import gather
    from lessonkit.doctor.findings import examine
    from lessonkit.doctor.verdict import verdict

    if not as_json:
        click.echo("Examining this machine, which takes up to a minute.", err=True)
    facts = gather()
    findings = examine(facts)
    if as_json:
        click.echo(without_secrets(json.dumps([finding._asdict() for finding in findings], indent=2)))
    else:
        for finding in findings:
            click.echo(f"{finding.state:8} {finding.name}: {without_secrets(finding.found)}")
            if finding.state != "ok" and finding.fix:
                click.echo(f"         {finding.fix}")
        click.echo(f"\n{verdict(findings, stops_nobody=facts.course.stops_nobody)}")
    sys.exit(any(finding.state == "problem" for finding in findings))


def answer(chapters: tuple[str, ...]) -> bool:
    """Print what to send back about the `chapters`; return whether this machine is ready."""
    chosen = select(find(), chapters)
    from lessonkit.doctor.facts import gather
    from lessonkit.doctor.mail import letter, network

    click.echo(
        "Examining this machine. Send back the lines that follow; nothing is sent automatically.\n", err=True
    )
    facts = gather()
    asked = facts.proxy and facts.proxy_error is not None  # gathering has asked a server, to try the proxy
    text, ready = letter(facts, chosen, network=facts.proxy_error if asked else network())
    click.echo(text)
    return ready
