"""The report of a run: what is written after every chapter, read back by `--resume`, and shown at the end."""

import json
import time
from dataclasses import replace
from pathlib import Path

from course_utils import machine
from course_utils.notebook import catalog
from course_utils.notebook.catalog import Chapter, Refused
from course_utils.runner import report_page
from course_utils.runner.jobs import ONE, Jobs
from course_utils.runner.result import ChapterResult
from course_utils.system.atomic import atomic_write

NAME = "report.json"
PACKAGES = ("torch", "torchvision", "numpy", "papermill", "nbclient", "ipykernel", "jupyterlab", "matplotlib")


class Report:
    """What is known of a run so far, kept in `out` as report.json and report.html.

    A chapter that has not ended counts as `interrupted`, so that a run that is broken off, however hard,
    leaves a true report.
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
            "versions": versions(),
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

    def keep_passed(self, earlier: dict) -> list[Chapter]:
        """Take over what had passed in an earlier report (what `earlier` returned); return what remains to be run.

        A chapter whose notebook has changed since is run again.
        """
        self.before = earlier["wall_seconds"]
        since = (self.out / NAME).stat().st_mtime
        for result in earlier["chapters"]:
            source = self.sources.get(result.name)
            if source and result.passed and source.path.stat().st_mtime < since:
                self.entries[result.name] = result
        return [source for name, source in self.sources.items() if not self.entries[name].passed]

    def wall_seconds(self) -> float:
        """Return the seconds since the run began, with those of the run that it goes on with."""
        return round(self.before + time.monotonic() - self.began, 2)

    def contents(self) -> dict[str, object]:
        """Return the report as it stands in report.json."""
        entries = [result.to_json() for result in self.results]
        return {"chapters": entries, "wall_seconds": self.wall_seconds(), **self.head}

    def passed(self) -> bool:
        """Return whether every chapter has passed."""
        return all(result.passed for result in self.results)

    def save(self) -> None:
        """Write report.json and report.html, each at once and completely. Raises OSError where that fails."""
        contents = self.contents()
        files = {
            NAME: json.dumps(contents, indent=2, ensure_ascii=False) + "\n",
            "report.html": report_page.render(self.results, contents, self.out),
        }
        self.out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            with atomic_write(self.out / name) as file:
                file.write(text.encode())


def read(path: Path) -> dict:
    """Return the contents of a report.json, its chapters as `ChapterResult`s.

    Raises OSError, ValueError, KeyError or TypeError for a file that is not there or no report.
    """
    found = json.loads(path.read_text(encoding="utf-8"))
    return found | {"chapters": [ChapterResult.from_json(entry) for entry in found["chapters"]]}


def earlier(out: Path, *, answers: str, extent: str, profile: str, device: str) -> dict:
    """Return the report in `out`, to go on with.

    Raises `Refused` when there is none, it cannot be read, or it was made with other settings.
    """
    path = Path(out) / NAME
    wanted = {"answers": answers, "extent": extent, "profile": profile, "device": device}
    try:
        found = {"extent": "whole"} | read(path)  # older reports know only whole chapters
        made_with = {name: found[name] for name in wanted}
    except FileNotFoundError:
        raise Refused(f"nothing to resume: there is no {path}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Refused(f"cannot resume: {path} is not a readable report ({error}); run without --resume") from error
    for name, value in wanted.items():
        if made_with[name] != value:
            raise Refused(
                f"cannot resume with {name} {value}: {path} was made with {name} {made_with[name]}; "
                "use the same, or run without --resume"
            )
    return found


def versions() -> dict[str, str]:
    """Return the versions of the course and of the packages that decide what a chapter shows."""
    return machine.versions("course-utils", *PACKAGES)


def data_used(chapter: Chapter) -> dict[str, str]:
    """Return which source ("full" or "sample") each data set of a chapter comes from.

    The names are those in the notebook's metadata; the sources are asked of `datasets.available`, which decides as
    `load` did a moment ago: the notebook need not print anything in a set form. "none" and "damaged" occur where
    `load` has failed, or the chapter went on without the set.
    """
    from course_utils import datasets

    found = {}
    for name in catalog.data_sets(chapter):
        if name in datasets.names():
            try:
                found[name] = datasets.available(name)[0]
            except datasets.DataError:
                found[name] = "damaged"
    return found
