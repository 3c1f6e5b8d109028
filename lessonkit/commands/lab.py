"""`course lab`: open JupyterLab on the learner's copies, with this Python's kernel and on this machine only."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from urllib.parse import quote

import click

from lessonkit.commands.lab_address import announce
from lessonkit.commands.update import print_outcome
from lessonkit.desk import missing_names
from lessonkit.desk.folder import Desk, work_folder
from lessonkit.desk.lab_settings import opened_wider, write_config
from lessonkit.notebook.catalog import find
from lessonkit.progress.lab_layout import JUPYTER
from lessonkit.runner.environment import same_course, thread_settings
from lessonkit.system.errors import Refused
from lessonkit.system.loopback import ADDRESS, around_proxy, why_no_loopback
from lessonkit.system.place import HOME, INSTALLED

STARTUP = Path(missing_names.__file__).with_name("kernel_startup.py")
LAYOUT = "workspaces"  # in the work folder's machinery: which files are open where, as JupyterLab keeps it


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening a browser.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- JUPYTER_OPTION...]")
def lab(no_browser: bool, arguments: tuple[str, ...]) -> None:
    """Open JupyterLab on your copies of the chapters.

    The first call makes the copies; later calls bring them up to date.
    """
    if why := why_no_loopback():
        raise Refused(
            f"JupyterLab could not be reached, because 127.0.0.1 cannot be reached ({why}); see `course doctor`"
        )
    desk = Desk(work_folder())
    click.echo("Your copies of the chapters are being brought up to date.", err=True)
    prepare(desk)
    sys.exit(serve(desk, arranged=arrange(desk), no_browser=no_browser, arguments=arguments))


def prepare(desk: Desk) -> None:
    """Fill the work folder or bring it up to date, and say so; copies that cannot be are opened as they are.

    Raises `Refused` where there is nothing to open.
    """
    from lessonkit.desk.companions import bring_scripts
    from lessonkit.desk.copies import bring  # imports nbformat, for which `course --help` must not wait

    try:
        print_outcome(bring(desk))
        if INSTALLED:
            bring_scripts(HOME / "scripts")
    except OSError as error:
        click.echo(f"Some of the scripts that chapters link to are missing: {error}", err=True)
    except Refused as error:
        if not first_page(desk).exists():
            raise
        click.echo(f"Not updated: {error}.", err=True)


def arrange(desk: Desk) -> bool:
    """Write the start page, and at first JupyterLab's layout with it; return whether there is a layout to open.

    A sentence is printed about what cannot be written; without a page the first chapter is opened alone.
    """
    from lessonkit.progress import lab_layout, start_page
    from lessonkit.progress.database import NotKept

    page = desk.work / start_page.NAME
    try:
        start_page.write(desk.work)
    except (OSError, NotKept, Refused) as error:
        click.echo(f"The start page was not updated: {error}", err=True)
    if not page.is_file():
        return False
    page, chapter = (path.relative_to(root(desk)).as_posix() for path in (page, first_page(desk)))
    try:
        lab_layout.arrange(desk.machinery / LAYOUT, page=page, chapter=chapter)
    except OSError as error:
        click.echo(f"The first chapter is opened alone, without the start page: {error}", err=True)
        return False
    return True


def first_page(desk: Desk) -> Path:
    """Return the file that JupyterLab opens with."""
    return desk.copy(find(desk.originals)[0].name)


def serve(desk: Desk, *, arranged: bool = False, no_browser: bool = False, arguments: tuple[str, ...] = ()) -> int:
    """Run JupyterLab until it is stopped; return its exit status.

    `arranged`: open the layout, with all that was open last. `arguments` are handed on to it and win over ours.
    """
    with tempfile.TemporaryDirectory(prefix="course-lab-") as config:
        write_config(Path(config), **places(desk))
        line = [*command(desk, arranged=arranged, no_browser=no_browser), *arguments]
        for sentence in opened_wider(arguments):
            click.echo(sentence, err=True)
        env = environment(Path(config), desk)
        click.echo("JupyterLab is starting. Its address is printed here as soon as it answers.", err=True)
        folder = runtime_folder(env)
        process = subprocess.Popen(line, env=env)
        announce(process, folder, root(desk), say=partial(click.echo, err=True))
        # Ctrl-C reaches JupyterLab too, which asks before it stops: the decision is its own.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        return process.wait()


def runtime_folder(env: Mapping[str, str]) -> Path:
    """Return the folder in which JupyterLab writes its address, where its environment is `env`."""
    from jupyter_core.paths import jupyter_runtime_dir

    return Path(env.get("JUPYTER_RUNTIME_DIR") or jupyter_runtime_dir())


def root(desk: Desk) -> Path:
    """Return JupyterLab's root: the course's folder, so that scripts can be opened and links to them work.

    If the copies lie elsewhere it is their folder, as JupyterLab shows nothing above its root.
    """
    return HOME if desk.work.is_relative_to(HOME) else desk.work


def places(desk: Desk) -> dict[str, str]:
    """Return where JupyterLab finds the originals and the copies, from its root; nothing if it sees none."""
    top = root(desk)
    if not desk.originals.is_relative_to(top):
        return {}
    return {
        "originals": desk.originals.relative_to(top).as_posix(),
        "copies": desk.work.relative_to(top).as_posix(),
    }


def command(desk: Desk, *, arranged: bool = False, no_browser: bool = False) -> list[str]:
    """Return the command line; `arranged`: open what the layout holds, not the first chapter alone."""
    first = quote(first_page(desk).relative_to(root(desk)).as_posix())
    folder = "" if desk.work == root(desk) else desk.work.relative_to(root(desk)).as_posix()
    # The layout is not kept among the user's own: those hold tabs of other folders.
    layout = ["--LabApp.default_url=/lab", f"--LabApp.workspaces_dir={desk.machinery / LAYOUT}"]
    opened = layout if arranged else [f"--LabApp.default_url=/lab/tree/{first}"]
    return [
        sys.executable,
        "-m",
        "lessonkit.commands.jupyterlab_program",
        f"--ServerApp.ip={ADDRESS}",
        f"--ServerApp.root_dir={root(desk)}",
        # The file browser begins there, and its root is one click away.
        f"--FileContentsManager.preferred_dir={folder}",
        # Else a line for each part, kernel and saved file would follow the address, which is to be the last one.
        "--Application.log_level=WARN",
        *opened,
        *(["--no-browser"] if no_browser else []),
    ]


def environment(config: Path, desk: Desk) -> dict[str, str]:
    """Return the environment: this Python's kernel and commands come first, and `config` before the user's.

    COURSE_WORK (the folder of the copies) is given whole, as are the variables of `same_course`, since kernels are
    started elsewhere.
    """

    def first(*paths: Path, name: str) -> str:
        return os.pathsep.join([*map(str, paths), *filter(None, [os.environ.get(name)])])

    return os.environ | {
        **thread_settings(),
        **around_proxy(),
        **homeless(config, desk),
        **same_course(),
        **startup(),
        "COURSE_WORK": str(desk.work),
        "PATH": first(Path(sys.executable).parent, name="PATH"),  # where `course` is, for a terminal and `!course`
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_PATH": first(Path(sys.prefix) / "share" / "jupyter", JUPYTER, name="JUPYTER_PATH"),
        "JUPYTER_CONFIG_PATH": first(config, name="JUPYTER_CONFIG_PATH"),
    }


def startup() -> dict[str, str]:
    """Return what lets each kernel say which cell makes a missing name; a start-up file of the user's own stays."""
    return {} if os.environ.get("PYTHONSTARTUP") else {"PYTHONSTARTUP": str(STARTUP)}


def homeless(config: Path, desk: Desk) -> dict[str, str]:
    """Return where Jupyter, IPython and matplotlib keep their files for a user whose home cannot be written.

    Empty for everybody else; says so otherwise. They go into the work folder, else into the temporary `config`.
    """
    from lessonkit.desk.trust import jupyter_folder
    from lessonkit.system.disk import why_not_writable

    folder = jupyter_folder(desk)
    if folder != desk.machinery / "jupyter":
        return {}
    place = f"in {desk.shown(folder)}"
    if why_not_writable(folder):
        folder, place = config / "jupyter", "until it ends, because the work folder cannot be written either"
        folder.mkdir()
    click.echo(f"Your home folder cannot be written: JupyterLab keeps its settings {place}.", err=True)
    others = ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR")
    return {"JUPYTER_DATA_DIR": str(folder), **{name: str(folder / name.lower()) for name in others}}
