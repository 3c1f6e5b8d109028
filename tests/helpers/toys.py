"""Small notebooks to run, and the `course` command to run them with."""

import os
import subprocess
import sys

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils import PROJECT

PARAMETERS = 'PROFILE = "quick"\nSEED = 0\nDEVICE = None'
STUB = "def double(x):\n    ...  # your code here\n\n\nex.double.check(double)"
KERNEL = {"display_name": "another name", "language": "python", "name": "another-kernel"}


def code(source, *tags, **metadata):
    return new_code_cell(source, metadata={"tags": list(tags), **metadata} if tags else metadata)


def parameters(source=PARAMETERS):
    return code(source, "parameters")


def text(source):
    return new_markdown_cell(source)


def notebook(*cells):
    """A notebook whose metadata names a kernel that nobody has: the runner must not care."""
    return new_notebook(cells=list(cells), metadata={"kernelspec": KERNEL})


def write(folder, **chapters):
    """Writes `_00_name=notebook(...)` as folder/00_name.ipynb; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, book in chapters.items():
        nbformat.write(book, folder / f"{name.removeprefix('_')}.ipynb")
    return folder


def course(*arguments, **environment):
    """Starts `python -m lessonkit.cli` in a process group of its own, output as text."""
    apart = (
        {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        if sys.platform == "win32"
        else {"start_new_session": True}
    )
    return subprocess.Popen(
        [sys.executable, "-m", "lessonkit.cli", *map(str, arguments)],
        cwd=PROJECT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        **apart,
    )
