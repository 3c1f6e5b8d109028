"""The report as one self-contained HTML page, filled from report.html.j2."""

from pathlib import Path

import nbformat

from lessonkit.notebook import outcome
from lessonkit.runner.result import ChapterResult
from lessonkit.system.private import discreet
from lessonkit.system.templates import templates


def render(results: list[ChapterResult], run: dict[str, object], out: Path) -> str:
    """Return the page; the tracebacks on it are read from the executed notebooks in `out`.

    `run` holds what report.json says of the run as a whole.
    """
    pages = templates(Path(__file__).parent)
    title = f"{sum(result.passed for result in results)} of {len(results)} chapters passed"
    page = pages.get_template("report.html.j2")
    return page.render(title=title, run=run, results=results, tracebacks=_tracebacks(results, out))


def _tracebacks(results: list[ChapterResult], out: Path) -> dict[str, str]:
    """Return the traceback in each executed notebook that is there, by chapter; empty for one that passed."""
    found = {}
    for result in results:
        path = out / f"{result.name}.ipynb"
        if path.exists():
            found[result.name] = (
                "" if result.passed else discreet(outcome.traceback(nbformat.read(path, as_version=4)))
            )
    return found
