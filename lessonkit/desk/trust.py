"""Mark the learner's copies as trusted notebooks, also for a user whose home folder cannot be written."""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from jupyter_core.paths import jupyter_data_dir
from nbformat import NotebookNode
from nbformat.sign import NotebookNotary

from lessonkit.desk.folder import Desk
from lessonkit.notebook.reader import Unreadable, load
from lessonkit.system.disk import why_not_writable


def jupyter_folder(desk: Desk) -> Path:
    """Return the folder of Jupyter's data: the user's, or one in the work folder where that cannot be written."""
    usual = Path(jupyter_data_dir())
    return desk.machinery / "jupyter" if why_not_writable(usual) else usual


@contextlib.contextmanager
def _notary(desk: Desk) -> Iterator[NotebookNotary]:
    folder = jupyter_folder(desk)
    folder.mkdir(parents=True, exist_ok=True)
    notary = NotebookNotary(data_dir=str(folder))
    try:
        yield notary
    finally:
        notary.store.close()


def is_trusted(desk: Desk, notebook: NotebookNode) -> bool:
    """Return whether JupyterLab shows all that a notebook's outputs hold; False if that cannot be found out."""
    try:
        with _notary(desk) as notary:
            return notary.check_signature(notebook)
    except (OSError, sqlite3.Error, UnicodeEncodeError):  # `trust` reports such an error
        return False


def trust(desk: Desk, copies: Iterable[Path]) -> str:
    """Mark copies as trusted; return a sentence about what could not be done, empty if all was."""
    try:
        with _notary(desk) as notary:
            for path in copies:
                notary.sign(load(path))
    except (OSError, sqlite3.Error, UnicodeEncodeError, Unreadable) as error:  # saved meanwhile, say
        return (
            f"the copies could not be marked as trusted ({error}): JupyterLab hides some of their pictures until "
            "you run their cells"
        )
    return ""
