"""The report of a run, as JSON and as one HTML page: written after every chapter, and read back by `--resume`."""

import json
import time
from collections.abc import Container
from dataclasses import replace
from pathlib import Path

import nbformat

from lessonkit.notebook import catalog, run_outcome
from lessonkit.notebook.catalog import Chapter
from lessonkit.runner import resume
from lessonkit.runner.jobs import ONE, Jobs
from lessonkit.runner.result import ChapterResult
from lessonkit.system import atomic
from lessonkit.system.course import hook
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain_text
from lessonkit.system.redact import discreet
from lessonkit.system.templates import templates

NAME = "report.json"


class Report:
    """What is known of a run so far, kept in `out` as report.json and report.html.

    A chapter that has not ended counts as `interrupted`: a run broken off, however hard, leaves a true report.
    """

    def __init__(
        self,
        out: Path,
        chapters: list[Chapter],
        *,
        answers: str,
        extent: str,
        profile: str,
        device: str,
        machine: dict,
        jobs: Jobs = ONE,
    ):
        self.out = Path(out)
        self.began = time.monotonic()
        self.before = 0.0  # seconds of the run that this one goes on with
        self.sources = {chapter.name: chapter for chapter in chapters}
        self.entries = {chapter.name: ChapterResult(name=chapter.name) for chapter in chapters}
        self.head = {
            "answers": answers,
            "extent": extent,
            "profile": profile,
            "device": device,
            "jobs": jobs._asdict(),
            "versions": resume.versions(),
            "machine": machine,
        }

    @property
    def results(self) -> list[ChapterResult]:
        """The chapters' results, in the order of the chapters."""
        return list(self.entries.values())

    def add(self, result: ChapterResult) -> None:
        """Take in a chapter's result and write both files."""
        self.entries[result.name] = replace(result, data=data_used(self.sources[result.name]))
        self.save()

    def keep_passed(
        self, earlier: dict, parameters: dict[str, dict[str, object]], *, asked: Container[str]
    ) -> dict[str, str]:
        """Take over what had passed in an earlier report (what `earlier` returned) and would be the same today.

        `parameters`: what would be injected, by chapter. Return why each other one would be run, by name.
        """
        self.before = earlier["wall_seconds"]
        former, anew = {result.name: result for result in earlier["chapters"]}, {}
        for name, source in self.sources.items():
            versions = {"then": earlier["versions"], "now": self.head["versions"]}
            given, data = parameters.get(name, {}), data_used(source)
            why = resume.why_rerun(former.get(name), source, out=self.out, parameters=given, data=data, **versions)
            if why is None:
                self.entries[name] = replace(former[name], kept=True)
            else:
                anew[name] = why
                if name not in asked and name in former and not former[name].passed:
                    self.entries[name] = former[name]  # what was wrong with it is still known
        return anew

    def wall_seconds(self) -> float:
        """Return the seconds since the run began, with those of the run that it goes on with."""
        return round(self.before + time.monotonic() - self.began, 2)

    def contents(self) -> dict[str, object]:
        """Return the report as it stands in report.json."""
        entries = [_shown(result).to_json() for result in self.results]
        return {"chapters": entries, "wall_seconds": self.wall_seconds(), **self.head}

    def passed(self, names: Container[str]) -> bool:
        """Return whether every chapter of these names has passed."""
        return all(result.passed for result in self.results if result.name in names)

    def save(self) -> None:
        """Write report.json and report.html, each at once and completely. Raises OSError where that fails."""
        contents, shown = self.contents(), [*map(_shown, self.results)]
        text = json.dumps(contents, indent=2, ensure_ascii=False) + "\n"
        files = {NAME: text, "report.html": render(shown, contents, self.out)}
        atomic.make_folder(self.out)
        for name, text in files.items():
            atomic.write(self.out / name, text.encode())


def _shown(result: ChapterResult) -> ChapterResult:
    """Return a result as others may read it: an error can quote any text."""
    error = None if result.error is None else discreet(result.error)
    notes = [discreet(note) for note in result.notes]
    return replace(result, error=error, notes=notes, slowest_cell=discreet(result.slowest_cell))


def read(path: Path) -> dict:
    """Return the contents of a report.json, its chapters as `ChapterResult`s.

    Raises OSError, ValueError, KeyError or TypeError for a file that is not there or no report.
    """
    found = json.loads(read_plain_text(path))
    chapters = [ChapterResult.from_json(entry) for entry in found["chapters"]]
    if not all(isinstance(one.name, str) for one in chapters):
        raise TypeError("a chapter without a name")
    return found | {"chapters": chapters}


def earlier(out: Path, *, answers: str, extent: str, profile: str, device: str) -> dict | None:
    """Return the report in `out`, to go on with; None where there is none.

    Raises `Refused` when it cannot be read, or was made with other settings: it is not written over by mistake.
    """
    path = Path(out) / NAME
    wanted = {"answers": answers, "extent": extent, "profile": profile, "device": device}
    try:
        found = {"extent": "whole"} | read(path)  # older reports know only whole chapters
        made_with = {name: found[name] for name in wanted}
        float(found["wall_seconds"]), {**found["versions"]}  # what else is needed of it
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise Refused(f"cannot resume: {path} is not a readable report ({error}); run without --resume") from error
    for name, value in wanted.items():
        if made_with[name] != value:
            raise Refused(
                f"cannot resume with {name} {value}: {path} was made with {name} {made_with[name]}; "
                "use the same, or run without --resume"
            )
    return found


def data_used(chapter: Chapter) -> dict[str, str]:
    """Return which source ("full" or "sample") each data set of a chapter comes from.

    The names are those in the notebook's metadata; `available` of the hook `data` decides as `load` did a moment
    ago. "none" and "damaged" occur where `load` has failed, or the chapter went on without the set.
    """
    found, datasets = {}, hook("data")
    for name in catalog.data_sets(chapter):
        if datasets and name in datasets.names():
            try:
                found[name] = datasets.available(name)[0]
            except datasets.DataError:
                found[name] = "damaged"
    return found


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
                "" if result.passed else discreet(run_outcome.traceback(nbformat.read(path, as_version=4)))
            )
    return found
