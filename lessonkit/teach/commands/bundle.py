"""`course bundle`: all that a room without a network needs, as one file or one folder."""

import sys
import time
from pathlib import Path

import click

from lessonkit.commands import options
from lessonkit.notebook.catalog import find, select
from lessonkit.system.errors import Refused
from lessonkit.teach.bundle import targets


@click.command()
@click.option("--to", type=click.Path(path_type=Path), required=True, help="FILE.zip, or a folder for a USB stick.")
@click.option(
    "--platform",
    "platforms",
    type=click.Choice(list(targets.PLATFORMS)),
    multiple=True,
    help="System of the room's machines; may be given more than once. The default is this machine's.",
)
@click.option(
    "--python",
    "pythons",
    type=click.Choice(targets.PYTHONS),
    multiple=True,
    help="Version of Python on them; may be given more than once. The default is this one.",
)
@options.only_chapters()
@click.option(
    "--torch",
    type=click.Choice(("default", "cpu")),
    default="default",
    help="With cpu, Linux gets the build without CUDA.",
)
@click.option(
    "--dry-run", is_flag=True, help="Say what the bundle would contain and how large it is; download nothing."
)
@click.option("--yes", is_flag=True, help="Do not ask before downloading.")
@options.notebooks
def bundle(
    to: Path,
    platforms: tuple[str, ...],
    pythons: tuple[str, ...],
    chapters: tuple[str, ...],
    torch: str,
    dry_run: bool,
    yes: bool,
    notebooks: Path,
) -> None:
    """Make a bundle for a classroom without a network.

    The bundle holds packages, data, notebooks, and what installs them. Its size is stated before anything
    is fetched. After an interruption the same command keeps the wheels that have been downloaded.
    """
    # imports nbformat, for which `--help` must not wait
    from lessonkit.teach.bundle.build import build, make_plan, mega

    here = targets.here()
    if not platforms and here.platform not in targets.PLATFORMS:
        raise Refused(f"torch has no wheels for this machine ({here.platform}): say --platform for the room's")
    chosen = [
        targets.Target(platform, python)
        for platform in dict.fromkeys(platforms or (here.platform,))
        for python in dict.fromkeys(pythons or (here.python,))
    ]
    click.echo(f"Asking the package index for {', '.join(target.words for target in chosen)} …")
    plan = make_plan(to, chosen, select(find(notebooks), chapters), torch=torch)
    for line in plan.tell():
        click.echo(line)
    if dry_run:
        return
    plan.check_disk()
    if not yes and not (sys.stdin.isatty() and click.confirm("Go on?", default=True)):
        raise Refused("nothing was downloaded; with --yes the command does not ask")
    click.echo(f"Wheels are kept in {plan.parts}: after an interruption, give the same command again.")
    start = time.monotonic()
    manifest = build(plan, click.echo)
    size = to.stat().st_size if plan.archive else sum(one["size"] for one in manifest["files"].values())
    largest = max(one["installed"] for one in manifest["targets"].values())
    click.echo(
        f"{to}: {mega(size)}, {len(manifest['files']):,} files, in {time.monotonic() - start:.0f} s. On a machine "
        f"it takes {mega(largest)} once installed, beside the bundle."
    )
    click.echo(
        "On each machine: unpack it, then `python start.py`." if plan.archive else "On each: start.py in it."
    )
