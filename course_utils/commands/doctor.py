"""`course doctor`: what is found on this machine, with a fix for each trouble."""

import json
import sys

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def doctor(as_json: bool) -> None:
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
