"""`course lab`: JupyterLab for this machine only, with its token, this Python's kernel, and no news pop-up."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from course_utils import PROJECT
from course_utils.notebook.catalog import NOTEBOOKS, find
from course_utils.runner.environment import thread_settings

PAGE = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening a browser.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- JUPYTER_OPTION...]")
def lab(no_browser: bool, arguments: tuple[str, ...]) -> None:
    """Open JupyterLab on the first chapter."""
    sys.exit(serve(no_browser=no_browser, arguments=arguments))


def serve(*, no_browser: bool = False, arguments: tuple[str, ...] = ()) -> int:
    """Run JupyterLab until it is stopped; return its exit status.

    `arguments` are handed on to it and win over ours.
    """
    with tempfile.TemporaryDirectory(prefix="course-lab-") as config:
        write_config(Path(config))
        line = [*command(no_browser=no_browser), *arguments]
        process = subprocess.Popen(line, env=environment(Path(config)))
        # Ctrl-C reaches JupyterLab too, which asks before it stops: the decision is its own.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        return process.wait()


def write_config(folder: Path) -> None:
    """Write what turns the news pop-up off: a folder of our own, so that no setting of the user's changes."""
    (folder / "labconfig").mkdir()
    (folder / "labconfig" / "page_config.json").write_text(json.dumps(PAGE), encoding="utf-8")


def command(*, no_browser: bool = False) -> list[str]:
    """Return the command line; its root is the project, so that scripts and results can be opened too."""
    first = find(NOTEBOOKS)[0].path.relative_to(PROJECT).as_posix()
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.root_dir={PROJECT}",
        f"--LabApp.default_url=/lab/tree/{first}",
        *(["--no-browser"] if no_browser else []),
    ]


def environment(config: Path) -> dict[str, str]:
    """Return the environment: this Python's kernel before any other, `config` before the user's settings."""

    def first(path: Path, name: str) -> str:
        return os.pathsep.join([str(path), *filter(None, [os.environ.get(name)])])

    return os.environ | {
        **thread_settings(),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_PATH": first(Path(sys.prefix) / "share" / "jupyter", "JUPYTER_PATH"),
        "JUPYTER_CONFIG_PATH": first(config, "JUPYTER_CONFIG_PATH"),
    }
