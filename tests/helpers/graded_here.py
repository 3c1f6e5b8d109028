"""Grade a notebook in this process, without a sandbox: for the tests' own notebooks, a tenth of a second each."""

import importlib
import json
import sys
from pathlib import Path
from unittest import mock

import nbformat
from nbformat.v4 import new_code_cell

from lessonkit.checks.question import NOTHING
from lessonkit.notebook.catalog import find
from lessonkit.notebook.solutions import solve
from lessonkit.teach.room.grading import Grader
from lessonkit.teach.room.sandbox import run_answer
from lessonkit.teach.room.sandbox.isolation import LIMITS
from lessonkit.teach.room.sandbox.process import Limits, Told
from lessonkit.teach.room.sandbox.protocol import unpack


class GraderHere(Grader):
    """A grader that runs the answers in this process, with the questions that a sandbox would have."""

    def _told(self, module, answers, time_left):
        questions = importlib.import_module(f"{module}.questions")
        told = []
        for one in answers:
            job = self._job(one)
            getattr(questions, job["name"]).given = NOTHING
            message = unpack(run_answer.told(questions, job))
            told.append(Told(job["name"], "answered", 0.0, message))
        return told


def graded(notebook, folder: Path, *, chapter: str = "00_start_here", environment: dict[str, str] | None = None):
    """What is said of a notebook: a Graded."""
    path = folder / f"{chapter}.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")  # as it is: nbformat mends ids
    grader = GraderHere(tuple(find()), folder, LIMITS, Limits(), 1)
    import IPython.core.display_functions
    import IPython.display

    shown = {name: getattr(IPython.display, name) for name in ("display", "clear_output", "publish_display_data")}
    with (
        mock.patch.dict(sys.modules),
        mock.patch.multiple(IPython.display, **shown),
        mock.patch.multiple(IPython.core.display_functions, **shown),
        mock.patch.dict("os.environ", environment or {}),
    ):
        return grader.grade(path, learner="ana", file=path.name)


def of_cells(*sources: str, solved: bool = False, chapter: str = "00_start_here", python: str = ""):
    """A notebook of a chapter without its exercises' cells, and these cells below; with all of them `solved`."""
    nb = nbformat.read(next(one for one in find() if one.name == chapter).path, as_version=4)
    if solved:
        solve(nb)
    else:
        nb.cells = [one for one in nb.cells if "exercise" not in one.metadata.get("tags", [])]
    nb.cells += [new_code_cell(source) for source in sources]
    if python:
        nb.metadata["language_info"] = {"name": "python", "version": python}
    return nb
